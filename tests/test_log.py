import subprocess
import sys


def test_a_logged_failure_goes_to_stderr_and_carries_no_value_of_a_variable():
    program = """
from brain.log import get_log

def fail():
    secret = "my dentist is " + "Dr. Alvarez"
    raise RuntimeError("it broke")

try:
    fail()
except RuntimeError:
    get_log("test").exception("exchange_failed", exchange="e-1")
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert ran.stdout == ""
    assert "exchange_failed" in ran.stderr
    assert "it broke" in ran.stderr
    assert "my dentist is Dr. Alvarez" not in ran.stderr
