"use strict";
// Selects Korean for Korean browsers.
if ((navigator.language || "").toLowerCase().startsWith("ko")) document.getElementById("ko").checked = true;
const showLanguage = () => { document.documentElement.lang = document.getElementById("ko").checked ? "ko" : "en"; };
document.querySelector(".language").addEventListener("change", showLanguage);
showLanguage();
