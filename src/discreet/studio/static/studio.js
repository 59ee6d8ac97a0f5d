/* What a page does that markup cannot: the token on every change, progress as it comes, files that
   are dropped, copying, and forms that depend on a choice. No page needs anything from elsewhere. */
(() => {
  const body = document.body;
  const token = document.querySelector('meta[name="csrf"]').content;
  const main = () => document.getElementById("main");

  document.addEventListener("htmx:config:request", (event) => {
    event.detail.ctx.request.headers["X-CSRF-Token"] = token;
  });

  /* The middle of the screen again, keeping focus and scroll where they are. */
  const refresh = () =>
    htmx.ajax("GET", location.pathname + location.search, { target: "#main", swap: "innerMorph" });

  const typing = () => {
    const at = document.activeElement;
    return at && (at.tagName === "TEXTAREA" || (at.tagName === "INPUT" && at.type !== "checkbox"));
  };

  const shown = () => {
    const past = document.querySelector("[data-plan]");
    return past ? Number(past.dataset.plan) : 0;
  };

  const time = (seconds) =>
    seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

  let states = null;
  const news = (told) => {
    const now = JSON.stringify(told.jobs.map((job) => [job.number, job.state, job.stage]));
    if (states !== null && now !== states) {
      htmx.ajax("GET", body.dataset.jobs, { target: "#jobs", swap: "innerHTML" });
    }
    const ended = states !== null && told.jobs.some((job) => {
      const was = JSON.parse(states).find((other) => other[0] === job.number);
      return job.state !== "running" && (!was || was[1] === "running");
    });
    states = now;
    for (const job of told.jobs) {
      const box = document.querySelector(`[data-job="${job.number}"]`);
      if (!box) continue;
      const bar = box.querySelector("progress");
      if (job.done) bar.value = job.done; else bar.removeAttribute("value");
      const line = box.querySelector(".job-left");
      const words = [job.status || job.label, line.dataset.soFar.replace("…", time(job.seconds))];
      if (job.left !== null) words.push(line.dataset.left.replace("…", time(job.left)));
      line.textContent = words.filter(Boolean).join(" · ");
    }
    if ((ended || (told.plan && shown() && told.plan !== shown())) && !typing()) refresh();
  };

  if (body.dataset.events) {
    const source = new EventSource(body.dataset.events);
    source.onmessage = (event) => news(JSON.parse(event.data));
    window.addEventListener("pagehide", () => source.close());
  }

  if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), 1000);

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const from = document.querySelector(button.dataset.copy);
    await navigator.clipboard.writeText(from.value ?? from.textContent);
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1200);
  });

  /* Another part of a step has other parameters: its form is asked for with what was put in. */
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-form]");
    if (form && event.target.matches("select.part")) {
      htmx.ajax("POST", form.dataset.form, { source: form, target: `#${form.dataset.card}`,
        swap: "outerHTML", values: Object.fromEntries(new FormData(form)) });
    }
    if (event.target.matches("select.role")) {
      event.target.className = `role role-${event.target.value}`;
    }
  });

  /* What takes a moment comes after the page, again whenever the page is drawn anew, and not before
     somebody unfolds it. */
  const load = () => {
    for (const awaited of document.querySelectorAll("[data-awaited]:not([data-asked])")) {
      const box = awaited.closest("[data-load]");
      if (box.closest("details:not([open])")) continue;
      awaited.dataset.asked = "";
      htmx.ajax("GET", box.dataset.load, { target: box, swap: "innerHTML" });
    }
  };
  document.addEventListener("htmx:after:swap", load);
  document.addEventListener("toggle", load, true);
  load();

  /* Cuts of a histogram: the line moves with the slider, and the number beside it. */
  document.addEventListener("input", (event) => {
    const slider = event.target.closest(".cuts input[type=range]");
    if (!slider) return;
    // A page that is drawn anew compares with the attribute.
    slider.setAttribute("value", slider.value);
    const share = (slider.value - slider.min) / (slider.max - slider.min);
    const line = document.getElementById(slider.dataset.line);
    for (const end of ["x1", "x2"]) line.setAttribute(end, 320 * share);
    slider.parentElement.querySelector("output").textContent = slider.value;
  });

  /* The lines themselves are dragged; the slider of a line follows, and is what is sent. */
  let held = null;
  const across = (svg, event) => {
    const box = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const hold = (slider, share) => {
    slider.value = Number(slider.min) + share * (slider.max - slider.min);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest(".cuts svg");
    if (!svg) return;
    event.preventDefault();
    const at = 320 * across(svg, event);
    const lines = [...svg.querySelectorAll(".cut-line:not([hidden])")];
    lines.sort((a, b) => Math.abs(a.getAttribute("x1") - at) - Math.abs(b.getAttribute("x1") - at));
    if (!lines.length) return;
    held = { svg, slider: document.querySelector(`.cuts input[data-line="${lines[0].id}"]`) };
    svg.setPointerCapture(event.pointerId);
    hold(held.slider, across(svg, event));
  });
  document.addEventListener("pointermove", (event) => {
    if (held) hold(held.slider, across(held.svg, event));
  });
  document.addEventListener("pointerup", () => { held = null; });

  /* A cut that is not wanted goes with its line; another one halves the widest interval. */
  document.addEventListener("click", (event) => {
    const gone = event.target.closest("[data-uncut]");
    const more = event.target.closest("[data-recut]");
    if (!gone && !more) return;
    const form = (gone || more).form;
    const rows = [...form.querySelectorAll(".cut")];
    if (gone) {
      // The last row stays as the pattern of the next one, unseen and not sent.
      const row = gone.closest(".cut");
      const slider = row.querySelector("input");
      const line = document.getElementById(slider.dataset.line);
      if (rows.length > 1) { row.remove(); line.remove(); } else {
        row.hidden = slider.disabled = true;
        line.toggleAttribute("hidden", true);
      }
      form.querySelector("[data-recut]").focus();
      return;
    }
    const last = rows[rows.length - 1];
    const row = last.hidden ? last : last.cloneNode(true);
    const slider = row.querySelector("input");
    const line = document.getElementById(slider.dataset.line);
    if (row !== last) {
      const number = 1 + Math.max(...rows.map((r) => Number(r.querySelector("input").dataset.line.slice(4))));
      const copy = line.cloneNode();
      copy.id = slider.dataset.line = `cut-${number}`;
      line.after(copy);
      last.after(row);
      slider.setAttribute("aria-label", form.dataset.cut.replace("…", number));
      const button = row.querySelector("[data-uncut]");
      for (const name of ["aria-label", "title"]) {
        button.setAttribute(name, form.dataset.uncutWords.replace("…", number));
      }
    }
    const at = rows.filter((r) => !r.hidden).map((r) => Number(r.querySelector("input").value));
    const ends = [Number(slider.min), ...at, Number(slider.max)].sort((a, b) => a - b);
    const gaps = ends.slice(1).map((end, i) => [end - ends[i], (end + ends[i]) / 2]);
    row.hidden = slider.disabled = false;
    document.getElementById(slider.dataset.line).toggleAttribute("hidden", false);
    slider.value = gaps.sort((a, b) => b[0] - a[0])[0][1];
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.focus();
  });

  /* A file is put into the text beside it, where it can be looked at before it is taken. */
  document.addEventListener("change", async (event) => {
    const text = event.target.dataset.into && document.querySelector(event.target.dataset.into);
    if (!text || !event.target.files.length) return;
    text.value = await event.target.files[0].text();
    text.classList.add("loaded");
  });

  const drop = document.querySelector("[data-drop]");
  const told = (words) => {
    const box = document.createElement("div");
    box.className = "told bad";
    box.textContent = words;
    document.getElementById("notice").replaceChildren(box);
  };
  const upload = (file) => {
    const bar = drop.querySelector("progress");
    if (!file || file.size > Number(drop.dataset.most)) {
      if (file) told(drop.dataset.tooLarge);
      return;
    }
    const request = new XMLHttpRequest();
    bar.hidden = false;
    request.upload.onprogress = (event) => { bar.value = event.loaded / event.total; };
    request.onload = () => {
      const json = request.getResponseHeader("content-type").includes("json");
      const answer = json ? JSON.parse(request.responseText) : { error: request.responseText };
      if (request.status === 200) {
        const form = document.getElementById("dropped");
        form.elements.place.value = answer.place;
        form.submit();
        return;
      }
      bar.hidden = true;
      told(answer.error);
    };
    request.onerror = () => {
      bar.hidden = true;
      told(drop.dataset.broken);
    };
    request.open("PUT", `/upload?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("X-CSRF-Token", token);
    request.send(file);
  };
  if (drop) {
    drop.querySelector("input").addEventListener("change", (e) => upload(e.target.files[0]));
    for (const kind of ["dragover", "dragenter"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    document.addEventListener("dragleave", () => drop.classList.remove("over"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      if (event.dataTransfer.files.length) upload(event.dataTransfer.files[0]);
    });
  }

  /* The line of an error is brought into view; lines scroll with the text. */
  const mark = () => {
    const editor = document.querySelector(".editor[data-line]");
    if (editor) editor.querySelector(".wrong")?.scrollIntoView({ block: "center" });
  };
  document.addEventListener("htmx:after:swap", mark);
  mark();
})();
