// Says when a typed or pasted text is longer than its field allows. Streamlit then restores the field without a
// message. A separate file, because the content security policy forbids inline scripts.
(() => {
  const FIELDS = "[data-testid=stTextInput] input, [data-testid=stTextArea] textarea";

  const check = ({ target }) => {
    if (!target.matches?.(FIELDS)) return;
    target.setCustomValidity("");
    const { length } = target.value;
    // Streamlit restores the field right after this event.
    setTimeout(() => {
      if (target.value.length >= length) return;
      const number = length.toLocaleString("en-US");
      target.setCustomValidity(`Nothing was inserted. The text would have ${number} characters, more than this field allows.`);
      target.reportValidity();
    });
  };

  document.addEventListener("input", check, { capture: true });
})();
