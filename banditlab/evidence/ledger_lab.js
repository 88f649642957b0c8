// In JupyterLab claims that a text or a caption names, as in "(A5a, B1)" and "claim A13", lead to their rows, as in a report.
(() => {
  const TEXT = '.jp-RenderedMarkdown', OTHER = 'a, code, pre, mjx-container, .MathJax';
  const start = ledger => {
    const notebook = ledger.closest('.jp-Notebook');
    const anchors = new Map([...ledger.querySelectorAll('.claims > details')].map(row => [row.querySelector('.id').textContent, row.id]));
    const ids = [...anchors.keys()].sort((a, b) => b.length - a.length).map(id => id.replace(/\W/g, '\\$&')).join('|'), more = `(?:(?:, | and )(?:${ids}))*`;
    const one = new RegExp(`\\b(?:${ids})\\b`, 'g'), named = new RegExp(`\\((?:${ids})${more}[);,]|\\b[Cc]laims? (?:${ids})${more}`, 'g');
    const makeLink = id => {
      const made = document.createElement('a');
      made.href = `#${anchors.get(id)}`;
      made.textContent = id;
      made.addEventListener('click', event => {   // what its mark does, in the ledger of now: the cell may have been run again
        event.preventDefault();
        event.stopPropagation();       // JupyterLab would look for a heading
        notebook.querySelector(`.mark[href="${made.hash}"]`)?.click();
      });
      return made;
    };
    const link = node => {
      const parts = [];
      let at = 0;
      for (const place of node.data.matchAll(named)) for (const found of place[0].matchAll(one)) {
        const from = place.index + found.index;
        parts.push(node.data.slice(at, from), makeLink(found[0]));
        at = from + found[0].length;
      }
      if (parts.length) node.replaceWith(...parts, node.data.slice(at));
    };
    const read = text => {
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), nodes = [];
      while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(OTHER)) nodes.push(walker.currentNode);
      nodes.forEach(link);
    };
    const changed = new MutationObserver(records => {   // a caption comes anew with each figure
      const places = [...new Set(records.map(record => record.target))];
      new Set(places.flatMap(place => place.closest(TEXT) || [...place.querySelectorAll(TEXT)])).forEach(read);
      if (!ledger.isConnected) changed.disconnect();
    });
    changed.observe(notebook, {childList: true, subtree: true});
    notebook.querySelectorAll(TEXT).forEach(read);
  };
  for (const ledger of document.querySelectorAll('.jp-Notebook .ledger:not(.named)')) { ledger.classList.add('named'); start(ledger); }
})();
