// Shows notices that the page itself cannot draw anymore: that Muster does not respond, and why an upload failed.
// Reloads a page that has crashed. Every page loads it, so that it is there when nothing else has arrived. A separate
// file, because the content security policy forbids inline scripts.
(() => {
  const { base, megabytes } = document.currentScript.dataset;
  const LOST_DELAY_MS = 4000;
  const APP = "[data-testid=stApp]";
  const STATE = "data-test-connection-state";
  const MEANWHILE =
    "This page reconnects automatically. Sent changes are in the Journal. Check it before you send a change again. " +
    "What you typed last may be lost.";
  const BROKEN = "muster-broke-down";
  const CRASH_DELAY_MS = 1000;
  const RELOAD_INTERVAL_MS = 60000;
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
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    notice.append(strong, paragraph, close);
    document.body.append(notice);
    return notice;
  };

  const cause = async () => {
    try {
      const { status } = await fetch(`${base}/_stcore/health`, { cache: "no-store" });
      if (status === 200)
        return "Muster is running, but this page cannot connect to it. Muster may be set up for a different address. " +
          "The administrator of Muster can find the reason in its log.";
      return `A proxy responded instead, with status ${status}. Muster stopped or is restarting.`;
    } catch {
      return `There is no response from ${location.host}. Muster stopped, or the network is down.`;
    }
  };

  const handleCrash = () => {
    // A crashed page continues only after a reload. A second crash within a minute is reported instead of reloaded.
    const before = Number(sessionStorage.getItem(BROKEN));
    sessionStorage.setItem(BROKEN, Date.now());
    if (Date.now() - before > RELOAD_INTERVAL_MS) location.reload();
    else
      lost = say(
        "This page failed twice.",
        "Reload it, or open another page. Sent changes are in the Journal. Check it before you send a change again.",
      );
  };

  const isBroken = () => wasThere && !document.querySelector(APP);

  const isLost = () => document.querySelector(APP)?.getAttribute(STATE) !== "CONNECTED";

  const report = async () => {
    if (isBroken()) {
      waiting = undefined;
      if (!lost?.isConnected) handleCrash();
      return;
    }
    const why = await cause();
    waiting = undefined;
    if (isLost() && !lost?.isConnected) lost = say("Muster does not respond.", `${why} ${MEANWHILE}`);
  };

  const look = () => {
    wasThere ||= document.querySelector(APP) !== null;
    if (isLost()) waiting ??= setTimeout(report, isBroken() ? CRASH_DELAY_MS : LOST_DELAY_MS);
    else {
      clearTimeout(waiting);
      waiting = undefined;
      lost?.remove();
    }
  };

  const uploadMessage = (status) => {
    if (status === 413)
      return `The file is too large. The limit is ${megabytes} MB. Split it into smaller files. ` +
        "If the file is smaller than that, tell the administrator of Muster: a proxy has a lower limit.";
    if (status === 400 || status === 403)
      return "You are signed out. Reload the page, sign in, and select the file again.";
    return "The file did not reach Muster. Select it again in a moment.";
  };

  new MutationObserver(look).observe(document, { attributeFilter: [STATE], childList: true, subtree: true });
  new PerformanceObserver((seen) => {
    for (const { name, responseStatus } of seen.getEntries())
      if (name.includes("/_stcore/upload_file/") && (responseStatus === 0 || responseStatus >= 400))
        say("The file was not uploaded.", uploadMessage(responseStatus));
  }).observe({ type: "resource" });
  look();
})();
