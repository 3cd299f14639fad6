// Tabs by mouse and keyboard: arrow keys, Home and End; the chosen one stands in the address.

const WIDE = matchMedia("(min-width: 960px)");

export class Tabs {
  constructor(list, { onChosen }) {
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    this.onChosen = onChosen;
    this.chosen = "";
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(nameOf(tab)));
    list.addEventListener("keydown", (press) => this.press(press));
    WIDE.addEventListener("change", () => {
      if (WIDE.matches && this.chosen === "activity") this.choose("talk");
    });
  }

  begin() {
    const name = location.hash.slice(1);
    const isThere = this.seen().some((tab) => nameOf(tab) === name);
    this.choose(isThere ? name : "talk");
  }

  seen() {
    return this.tabs.filter((tab) => !(WIDE.matches && tab.classList.contains("narrow-only")));
  }

  choose(name) {
    this.chosen = name;
    document.body.dataset.tab = name;
    for (const tab of this.tabs) {
      const isChosen = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) tab.scrollIntoView({ inline: "nearest", block: "nearest" });
      const panel = document.getElementById(tab.getAttribute("aria-controls"));
      if (nameOf(tab) !== "activity") panel.hidden = !isChosen;
    }
    history.replaceState(null, "", name === "talk" ? location.pathname : `#${name}`);
    this.onChosen(name);
  }

  press(press) {
    const seen = this.seen();
    const at = seen.indexOf(document.activeElement);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 };
    if (at === -1 || !(press.key in steps)) return;
    press.preventDefault();
    const tab = seen[(steps[press.key] + seen.length) % seen.length];
    tab.focus();
    this.choose(nameOf(tab));
  }
}

function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
