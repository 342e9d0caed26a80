// What makes the console pleasant. Everything works without it.
(() => {
  'use strict';
  const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const dress = (root) => {
    for (const time of root.querySelectorAll('time[datetime]')) {
      const moment = new Date(time.dateTime);
      if (time.dateTime.length > 10 && !Number.isNaN(moment.getTime())) {
        time.title = time.textContent;
        time.textContent = zone.format(moment);
      }
    }
  };
  dress(document);

  // The menu begins where one is, if it is higher than the window.
  const current = document.querySelector('.menu [aria-current]');
  if (current) {
    const menu = current.closest('.menu');
    menu.scrollTop = current.offsetTop + current.offsetHeight + 16 - menu.clientHeight;
  }

  // What was done is told as text, and its times are written like the others.
  for (const told of document.querySelectorAll('main > .told, main > .problem')) {
    if (told.childElementCount) continue;
    told.textContent = told.textContent.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (all, day, time) => {
      const moment = new Date(`${day}T${time}Z`);
      return Number.isNaN(moment.getTime()) ? all : zone.format(moment);
    });
  }

  // What was typed before a login stands in its form again, whose page keeps its own address.
  const kept = document.querySelector('form[data-kept]');
  if (kept) history.replaceState(null, '', kept.dataset.kept);

  // The browser may still hold what was typed into a form that was not taken.
  document.querySelector('[data-back]')?.addEventListener('click', (event) => {
    if (history.length > 1) { event.preventDefault(); history.back(); }
  });

  // Filters show what they find at once, by the same page.
  let asked;
  const refresh = async (form) => {
    const query = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    const address = `${form.getAttribute('action')}?${query}`;
    asked?.abort();
    asked = new AbortController();
    try {
      const answer = await fetch(address, { signal: asked.signal });
      if (!answer.ok || answer.redirected) return location.assign(address);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const main = document.querySelector('main');
      const kept = [...main.children].indexOf(form);
      const fresh = [...page.querySelector('main').children];
      const place = fresh.findIndex((part) => part.matches('form[data-live]'));
      while (main.children.length > kept + 1) main.lastElementChild.remove();
      main.append(...fresh.slice(place + 1));
      dress(main);
      dressChoice(main);
      history.replaceState(null, '', address);
    } catch (error) {
      if (error.name !== 'AbortError') location.assign(address);
    }
  };
  for (const form of document.querySelectorAll('form[data-live]')) {
    let later;
    form.addEventListener('input', (event) => {
      clearTimeout(later);
      later = setTimeout(() => refresh(form), event.target.matches('[data-search]') ? 250 : 0);
    });
  }

  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, select, textarea, [contenteditable]');
    // What looks like a button is pressed like one.
    if (event.key === ' ' && event.target.matches('a[role=button]')) { event.preventDefault(); event.target.click(); }
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      const search = document.querySelector('[data-search]');
      if (search) { event.preventDefault(); search.focus(); search.select(); }
    }
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !typing) {
      const links = [...document.querySelectorAll('.rows tbody th > a')];
      const at = links.indexOf(document.activeElement);
      const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
      if (at >= 0 && next) { event.preventDefault(); next.focus(); }
    }
  });

  // The camera reads codes into the first field, where the browser can, and sends the form at each.
  const scan = async (form, field, button) => {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    const video = document.createElement('video');
    Object.assign(video, { className: 'camera', muted: true, playsInline: true });
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    } catch {
      button.textContent = 'The camera is not open to this page';
      photo.hidden = false;
      return;
    }
    button.replaceWith(video);
    await video.play();
    for (;;) {
      const [code] = await detector.detect(video).catch(() => []);
      if (code?.rawValue) {
        field.value = code.rawValue;
        for (const track of video.srcObject.getTracks()) track.stop();
        sessionStorage.setItem('camera', '1');
        return form.requestSubmit();
      }
      await new Promise((later) => setTimeout(later, 150));
    }
  };
  const reader = document.querySelector('form[data-camera]');
  const photo = reader?.querySelector('[data-photo]');
  if (reader && 'BarcodeDetector' in window && navigator.mediaDevices) {
    photo.hidden = true;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'plain', textContent: 'Use the camera' });
    const begin = () => scan(reader, reader.querySelector('.field input'), button);
    button.addEventListener('click', begin);
    reader.prepend(button);
    // Whoever has used it for one ticket uses it for the next.
    if (sessionStorage.getItem('camera')) { sessionStorage.removeItem('camera'); begin(); }
  } else if (reader) {
    // The shop reads the code in a photo, which is sent as soon as it is taken.
    photo.querySelector('.hint').textContent = 'The shop reads the code as soon as the photo is taken. Nothing has to be pressed.';
    photo.addEventListener('change', () => reader.requestSubmit());
  }

  // Files can be dropped where they can be chosen, and are named there.
  for (const place of document.querySelectorAll('[data-drop]')) {
    const input = place.querySelector('input[type=file]');
    const told = place.querySelector('[data-chosen]');
    const over = (event, is) => { event.preventDefault(); place.classList.toggle('over', is); };
    place.addEventListener('dragover', (event) => over(event, true));
    place.addEventListener('dragleave', (event) => over(event, false));
    place.addEventListener('drop', (event) => {
      over(event, false);
      if (event.dataTransfer.files.length) {
        input.files = event.dataTransfer.files;
        input.dispatchEvent(new Event('change'));
      }
    });
    input.addEventListener('change', () => {
      // What is too large for the shop is told before the form is sent, which would be lost with it.
      const MEBIBYTE = 1024 * 1024;
      const { most, mostTogether } = input.dataset;
      const files = [...input.files];
      const large = most && files.find((file) => file.size > most * MEBIBYTE);
      const together = files.reduce((sum, file) => sum + file.size, 0);
      // The rest of the form takes some of it.
      const isTooMuch = mostTogether && together > (mostTogether - 0.5) * MEBIBYTE;
      input.setCustomValidity(
        large ? `${large.name} has more than ${most} MiB.` : isTooMuch ? `These files have more than ${mostTogether} MiB together.` : '',
      );
      if (!input.checkValidity()) input.reportValidity();
      told.replaceChildren(...[...input.files].map((file) => Object.assign(document.createElement('li'), { textContent: file.name })));
    });
  }

  // All rows of a page can be chosen at once.
  const dressChoice = (root) => {
    const all = root.querySelector('[data-choose-all]');
    if (!all) return;
    all.hidden = false;
    all.addEventListener('change', () => {
      for (const box of document.querySelectorAll('input[name=row]')) box.checked = all.checked;
    });
  };
  dressChoice(document);

  // A form with a passkey is sent twice: for the challenge, then with what the passkey says to it.
  const showPasskey = async (form) => {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (answer.redirected) return location.assign(answer.url);
    const asked = await answer.json();
    if (asked.problem) return asked.problem;
    const credential = asked.create
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked.create) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked.get) });
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  };
  const passkeyProblems = {
    InvalidStateError: 'This device has a passkey of yours already.',
    NotAllowedError: 'No passkey was used. Try again.',
  };
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON || form.dataset.passkey !== location.origin) continue;
    form.hidden = false;
    document.querySelector('[data-no-passkey]')?.remove();
    const told = form.querySelector('[role=alert]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      told.hidden = true;
      form.elements.credential.value = '';
      const problem = await showPasskey(form)
        .catch((error) => passkeyProblems[error.name] ?? 'That did not work. Load the page again.');
      if (problem) Object.assign(told, { textContent: problem, hidden: false });
    });
  }

  // A menu closes when one looks elsewhere.
  document.addEventListener('click', (event) => {
    for (const open of document.querySelectorAll('details.me[open]')) if (!open.contains(event.target)) open.open = false;
  });
})();
