// Says in our words what the page itself cannot draw any more: that Muster does not answer, and why an upload was not
// taken. A page that broke down is loaded anew. It stands in every page, so that it is there where nothing else came; a
// file of its own, because the content security policy allows no script in a page.
(() => {
  const { base, megabytes } = document.currentScript.dataset;
  const PATIENCE_MS = 4000;
  const APP = "[data-testid=stApp]";
  const STATE = "data-test-connection-state";
  const MEANWHILE =
    "This page tries again by itself. What you had sent is in the Journal: look there before you send it again. " +
    "What you typed last may be lost.";
  const BROKEN = "muster-broke-down";
  const A_MOMENT_MS = 1000;
  const A_WHILE_MS = 60000;
  let lost;
  let waiting;
  let wasThere = false;

  const say = (headline, text) => {
    const notice = document.createElement("div");
    const look = getComputedStyle(document.querySelector(APP) ?? document.body);
    notice.setAttribute("role", "alert");
    Object.assign(notice.style, {
      position: "fixed",
      inset: "1rem 1rem auto",
      maxWidth: "42rem",
      margin: "0 auto",
      padding: "1rem",
      zIndex: "1000000",
      border: "2px solid currentcolor",
      borderRadius: "0.5rem",
      background: look.backgroundColor,
      color: look.color,
      fontFamily: look.fontFamily,
    });
    const close = document.createElement("button");
    close.textContent = "Close";
    close.addEventListener("click", () => notice.remove());
    const strong = document.createElement("strong");
    strong.textContent = headline;
    const words = document.createElement("p");
    words.textContent = text;
    notice.append(strong, words, close);
    document.body.append(notice);
    return notice;
  };

  const cause = async () => {
    try {
      const { status } = await fetch(`${base}/_stcore/health`, { cache: "no-store" });
      if (status === 200)
        return "It runs, but does not talk to this page: it may be opened under another address than Muster knows. " +
          "Whoever runs Muster finds the reason in its log.";
      return `What stands before it answers in its place (${status}): Muster was stopped, or is being started again.`;
    } catch {
      return `Nothing answers at ${location.host}: Muster was stopped, or the network between is down.`;
    }
  };

  const brokeDown = () => {
    // What ended with an error draws nothing more, and goes on only where it is loaded anew; not over and over.
    const before = Number(sessionStorage.getItem(BROKEN));
    sessionStorage.setItem(BROKEN, Date.now());
    if (Date.now() - before > A_WHILE_MS) location.reload();
    else
      lost = say(
        "This page broke down, twice.",
        "Load it anew, or another one. What you had sent is in the Journal: look there before you send it again.",
      );
  };

  const isBroken = () => wasThere && !document.querySelector(APP);

  const isLost = () => document.querySelector(APP)?.getAttribute(STATE) !== "CONNECTED";

  const tell = async () => {
    if (isBroken()) {
      waiting = undefined;
      if (!lost?.isConnected) brokeDown();
      return;
    }
    const why = await cause();
    waiting = undefined;
    if (isLost() && !lost?.isConnected) lost = say("Muster does not answer.", `${why} ${MEANWHILE}`);
  };

  const look = () => {
    wasThere ||= document.querySelector(APP) !== null;
    if (isLost()) waiting ??= setTimeout(tell, isBroken() ? A_MOMENT_MS : PATIENCE_MS);
    else {
      clearTimeout(waiting);
      waiting = undefined;
      lost?.remove();
    }
  };

  const notTaken = (status) => {
    if (status === 413)
      return `It is too large: Muster takes ${megabytes} MB at most. Take out what is not needed, or part it into ` +
        "several files. If it is smaller than that, a proxy before Muster takes less: tell whoever runs Muster.";
    if (status === 400 || status === 403)
      return "This page is not signed in any more. Reload it, sign in, and choose the file again.";
    return "It did not reach Muster. Choose it again in a moment.";
  };

  new MutationObserver(look).observe(document, { attributeFilter: [STATE], childList: true, subtree: true });
  new PerformanceObserver((seen) => {
    for (const { name, responseStatus } of seen.getEntries())
      if (name.includes("/_stcore/upload_file/") && (responseStatus === 0 || responseStatus >= 400))
        say("The file was not taken, and nothing of it was read.", notTaken(responseStatus));
  }).observe({ type: "resource" });
  look();
})();
