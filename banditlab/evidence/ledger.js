// Marks that open rows, and filters; without this script the rows open all the same.
(() => {
  const inLab = document.body.dataset.jpThemeLight !== undefined;
  const start = ledger => {
    const rows = [...ledger.querySelectorAll('.claims > details')], marks = new Map([...ledger.querySelectorAll('.mark')].map(e => [e.hash.slice(1), e]));
    const facts = rows.map(row => JSON.parse(row.dataset.filter));
    const plain = node => (node ? node.innerHTML : '').replace(/<sup>/g, '^').replace(/<sub>/g, '_').replace(/<[^>]*>/g, '');   // k^d, not kd
    const words = rows.map((row, k) => `${plain(row)} ${facts[k].also}`.toLowerCase());
    const claimed = rows.map((row, k) => `${['.sentence', 'q', '.where'].map(part => plain(row.querySelector(part))).join(' ')} ${facts[k].also}`.toLowerCase());
    const symbols = claimed.map(text => new Set(text.split(/[^\p{L}\p{N}]+/u)));   // a letter is asked for as a symbol, d or k, of what is claimed, a digit as a number of its place
    const buttons = [...ledger.querySelectorAll('.verdicts button')], selects = [...ledger.querySelectorAll('select[data-name]')];
    const search = ledger.querySelector('input'), size = ledger.querySelector('.size'), said = ledger.querySelector('.filters [role]');
    const verdictOf = fact => (size && fact.verdict[size.value]) || fact.verdict.now;
    const count = () => {
      for (const button of buttons) {
        const number = facts.filter(fact => verdictOf(fact) === button.dataset.verdict).length;
        button.querySelector('b').textContent = number;
        button.disabled = !number && button.getAttribute('aria-pressed') === 'false';
      }
    };
    const filter = () => {
      const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean), pressed = buttons.filter(e => e.getAttribute('aria-pressed') === 'true').map(e => e.dataset.verdict);
      rows.forEach((row, k) => {
        row.hidden = !(asked.every(word => (word.length > 1 ? words[k].includes(word) : symbols[k].has(word))) && (!pressed.length || pressed.includes(verdictOf(facts[k])))
          && selects.every(e => !e.value || facts[k][e.dataset.name].includes(e.value)));
        marks.get(row.id)?.toggleAttribute('data-out', row.hidden);
      });
      said.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} claims`;
    };
    for (const button of buttons) {
      button.addEventListener('click', () => { button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') === 'false'); filter(); });
    }
    for (const input of [search, ...selects]) input.addEventListener('input', filter);
    size?.addEventListener('input', () => { ledger.classList.toggle('by-run', size.value === 'now'); count(); filter(); });
    ledger.querySelector('.filters').hidden = false;
    count();
    for (const link of document.querySelectorAll('a[href="#verdicts-mean"]')) link.addEventListener('click', () => { ledger.querySelector('.means').open = true; });
    const addressOf = row => {
      const setting = location.hash.slice(1).split('?').pop();   // of sliders, which stays
      return `#${row.id}` + (setting.includes('=') ? `?${setting}` : '');
    };
    if (!inLab) for (const row of rows) for (const link of row.querySelectorAll('.fold a[href^="#"]')) {
      link.addEventListener('click', () => history.replaceState(null, '', addressOf(row)));   // Back leads to the row again
    }
    for (const [id, mark] of marks) mark.addEventListener('click', event => {
      const row = rows.find(e => e.id === id);
      row.hidden = false;
      row.open = true;
      event.preventDefault();
      if (!inLab) history.pushState(null, '', addressOf(row));   // the Lab's address is the notebook's
      row.scrollIntoView({block: 'center'});
      row.querySelector('summary').focus({preventScroll: true});
    });
  };
  for (const ledger of document.querySelectorAll('.ledger:not(.live)')) { ledger.classList.add('live'); start(ledger); }
})();
