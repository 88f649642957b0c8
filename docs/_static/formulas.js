// Sets every formula of a page; what fails stays as its TeX.
window.addEventListener('DOMContentLoaded', () => {
  for (const e of document.querySelectorAll('.tex'))
    katex.render(e.textContent, e, {displayMode: e.classList.contains('display'), throwOnError: false, strict: 'ignore'});
});
