for (const e of document.querySelectorAll('.tex'))
  katex.render(e.textContent, e, {displayMode: e.classList.contains('display'), throwOnError: false, strict: 'ignore'});
// Of x_{\max} KaTeX makes three parts for those who listen, where MathML has two: Firefox would tell them of an error.
for (const e of document.querySelectorAll('.tex :is(msub, msup)')) {
  if (e.children.length < 3) continue;
  const row = document.createElementNS(e.namespaceURI, 'mrow');
  row.append(...[...e.children].slice(1));
  e.append(row);
}
