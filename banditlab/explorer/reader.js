// Hears, once a page, whether its reader scrolls while cells run: by wheel, finger, key, or the scrollbar.

const KEYS = ['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown', ' '];

// Cells that waited, or ran, when their reader scrolled last: toolbar.js asks.
function listen(cells) {
  const scrolled = ({target}) => {
    for (const cell of target.closest?.('.jp-Notebook')?.querySelectorAll('.jp-CodeCell') ?? [])
      cells[cell.querySelector('.jp-InputPrompt')?.textContent.startsWith('[*]') ? 'add' : 'delete'](cell);
  };
  const hear = (type, counts) =>
    document.addEventListener(type, (event) => { if (counts(event)) scrolled(event); }, {capture: true, passive: true});
  hear('wheel', () => true);
  hear('touchmove', () => true);
  hear('keydown', ({key}) => KEYS.includes(key));
  hear('pointerdown', ({target}) => target.matches?.('.jp-WindowedPanel-outer'));   // its scrollbar is no element
  return cells;
}

function initialize() {
  window.banditlabScrolled ??= listen(new WeakSet());
}

export default { initialize };
