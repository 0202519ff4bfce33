"use strict";
// Selects Korean for Korean browsers.
if ((navigator.language || "").toLowerCase().startsWith("ko")) document.getElementById("ko").checked = true;
const showLanguage = () => { document.documentElement.lang = document.getElementById("ko").checked ? "ko" : "en"; };
document.querySelector(".language").addEventListener("change", showLanguage);
showLanguage();

/** Both languages, of which the style sheet shows one. */
const bilingual = (texts) => Object.entries(texts).map(([lang, text]) =>
  Object.assign(document.createElement("span"), { className: lang, lang, textContent: text }));

const attentionTitles = () => ({
  source: bilingual({ en: "Source", ko: "원문" }), target: bilingual({ en: "Translation", ko: "번역" }), name: "Attention",
});
for (const box of document.querySelectorAll("[data-matrix]")) {
  const [source, target, digits] = JSON.parse(box.dataset.matrix);
  drawAttention(box, { source, target, percent: percentOf(digits, source.length) }, attentionTitles());
}
