import asyncio

import pytest

from brain.runtime.turnstile import TooManyWaiting, Turnstile


async def test_exchanges_of_one_conversation_pass_in_the_order_they_came():
    turnstile = Turnstile(waiting_at_most=16)
    gate = asyncio.Event()
    order: list[int] = []

    async def exchange(number: int) -> None:
        with turnstile.join("talk") as place:
            await place.wait()
            if number == 0:
                await gate.wait()
            order.append(number)

    tasks = [asyncio.create_task(exchange(number)) for number in range(5)]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*tasks)

    assert order == [0, 1, 2, 3, 4]


async def test_the_seventeenth_waiting_message_is_refused_and_the_others_are_not():
    turnstile = Turnstile(waiting_at_most=16)
    gate = asyncio.Event()

    async def exchange() -> str:
        with turnstile.join("talk") as place:
            await place.wait()
            await gate.wait()
            return "passed"

    tasks = [asyncio.create_task(exchange()) for _ in range(17)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyWaiting, match="16 messages of this conversation are waiting"):
        turnstile.join("talk")
    with turnstile.join("another talk") as place:
        assert place.is_first
    gate.set()

    assert await asyncio.gather(*tasks) == ["passed"] * 17


async def test_an_exchange_cancelled_while_it_waits_leaves_the_queue():
    turnstile = Turnstile(waiting_at_most=2)
    gate = asyncio.Event()
    passed: list[str] = []

    async def exchange(name: str) -> None:
        with turnstile.join("talk") as place:
            await place.wait()
            await gate.wait()
            passed.append(name)

    inside, waiting, last = [asyncio.create_task(exchange(name)) for name in "abc"]
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await asyncio.gather(inside, last)

    assert passed == ["a", "c"]
    with turnstile.join("talk") as place:
        assert place.is_first
