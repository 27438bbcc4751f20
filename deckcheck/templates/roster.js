
"use strict";
(function () {
  const box = document.getElementById("find");
  const said = document.getElementById("shown");
  const buttons = Array.from(document.querySelectorAll("button[data-state]"));
  const plain = (text) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 96));
  const rows = Array.from(document.querySelectorAll("tr[data-state]"), (row) => ({
    row: row,
    state: row.dataset.state,
    text: plain(row.textContent),
  }));
  let state = "";
  function show() {
    const words = plain(box.value).split(/\s+/).filter(Boolean);
    let number = 0;
    for (const one of rows) {
      const fits = (!state || one.state === state) && words.every((word) => one.text.includes(word));
      one.row.hidden = !fits;
      number += fits ? 1 : 0;
    }
    said.textContent = said.dataset.words.replace("{found}", number).replace("{all}", rows.length);
  }
  for (const button of buttons) {
    button.addEventListener("click", () => {
      state = button.dataset.state;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show();
    });
  }
  box.addEventListener("input", show);
  document.getElementById("search").hidden = false;
  show();
})();
