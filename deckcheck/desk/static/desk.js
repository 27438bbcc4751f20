// Checks the list while it is typed; the newest answer wins. Everything works without this script, too.
"use strict";

const WAIT = 400;

const form = document.querySelector("form[data-check]");
const answer = document.querySelector("#answer");

let timer = 0;
let running = null;

async function check(submitter) {
  if (running) {
    running.abort();
  }
  const request = new AbortController();
  running = request;
  const body = new FormData(form, submitter);
  answer.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.dataset.check, { method: "POST", body, signal: request.signal });
    const text = await response.text();
    if (request === running) {
      show(response, text);
    }
  } catch (error) {
    if (error.name !== "AbortError") {
      throw error;
    }
  } finally {
    if (request === running) {
      running = null;
      answer.removeAttribute("aria-busy");
    }
  }
}

function show(response, text) {
  if ((response.headers.get("content-type") || "").startsWith("text/html")) {
    answer.innerHTML = text;
  } else {
    answer.textContent = text;
  }
}

function later() {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => check(null), WAIT);
}

// A suggestion corrects the text where it stands, so that the list can be undone and edited further. Where the list
// no longer has that name there, nothing is corrected; the new answer says what is wrong now.
function correct(value) {
  const [line, column, length] = value.split(":", 3).map(Number);
  // Columns and lengths count whole characters.
  const names = Array.from(value.split(":").slice(3).join(":"));
  const written = names.slice(0, length).join("");
  const box = form.querySelector("textarea");
  const lines = box.value.split("\n");
  const characters = Array.from(lines[line - 1] || "");
  if (characters.splice(column - 1, length, ...names.slice(length)).join("") === written) {
    lines[line - 1] = characters.join("");
    box.value = lines.join("\n");
  }
  box.focus();
  check(null);
}

if (form && answer) {
  form.addEventListener("input", later);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name]");
    if (!button || button.form !== form) {
      return;
    }
    if (button.name === "correct") {
      event.preventDefault();
      correct(button.value);
    } else if (button.name === "do" && ["check", "repair", "copy"].includes(button.value)) {
      event.preventDefault();
      check(button);
    }
  });
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) {
    const box = document.getElementById(button.dataset.copy);
    box.select();
    await navigator.clipboard.writeText(box.value);
  }
});
