/** Loads a page again every 2 seconds, but not while its reader is in a form, or has changed one and not sent it. */
export const RELOAD_SCRIPT = `let isChanged = false;
addEventListener("input", ({ target }) => { isChanged = target.value !== target.defaultValue; });
setInterval(() => { if (!isChanged && !document.activeElement?.closest("form")) location.reload(); }, 2000);`;
