// SPDX-License-Identifier: MIT
"use strict";
// All that the program says is put in as text, never as markup.
const $ = (id) => document.getElementById(id);
const drawn = { boxes: new Map(), of: new Map(), ends: new Map() };
const folded = new Set(), opened = new Set();
let chosen = null, isFrozen = false, seen = 0, shape = "", rates = {}, timer = null, isStoppable = false;
const WIDTH = 200, HEIGHT = 44;

function svg(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
}

function html(name, text, parent, attributes = {}) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined && text !== null) made.textContent = text;
    if (parent) parent.append(made);
    return made;
}

const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
const rate = (each) => (each >= 10 ? Math.round(each) : Math.round(each * 10) / 10) + "/s";

async function ask(question, given = {}) {
    const answer = await fetch(question + "?" + new URLSearchParams(given), { cache: "no-store" });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
}

function draw(graph) {
    $("program").textContent = `${graph.program} (process ${graph.process})`;
    document.title = graph.program;
    const canvas = $("graph"), places = new Map(graph.boxes.map((box) => [box.id, box]));
    const now = JSON.stringify([graph.boxes.map((box) => [box.id, box.x, box.y]), graph.arrows, [...folded], [...opened]]);
    if (now !== shape) {
        shape = now;
        canvas.replaceChildren();
        drawn.boxes.clear();
        drawn.of.clear();
        drawn.ends.clear();
        const right = Math.max(0, ...graph.boxes.map((box) => box.x)) + WIDTH;
        const bottom = Math.max(0, ...graph.boxes.map((box) => box.y)) + HEIGHT;
        canvas.setAttribute("width", right);
        canvas.setAttribute("height", bottom);
        const marker = svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" });
        marker.append(svg("path", { d: "M0 0L8 4L0 8z" }));
        canvas.append(marker);
        for (const arrow of graph.arrows) {
            const from = places.get(arrow.from), to = places.get(arrow.to);
            const x1 = from.x + WIDTH / 2, x2 = to.x - WIDTH / 2, bend = Math.max(30, Math.abs(x2 - x1) / 2);
            const line = svg("path", { class: "arrow", "marker-end": "url(#head)", d: `M${x1} ${from.y}C${x1 + bend} ${from.y} ${x2 - bend} ${to.y} ${x2} ${to.y}` });
            canvas.append(line);
            drawn.of.set(arrow.observation + ">" + arrow.to, line);
            if (arrow.observation) drawn.of.set(arrow.observation, line);
            if (places.get(arrow.to).is_handler) drawn.ends.set(arrow.observation, arrow.to);
            if (!drawn.of.has("from " + arrow.from)) drawn.of.set("from " + arrow.from, []);
            if (!places.get(arrow.to).is_handler) drawn.of.get("from " + arrow.from).push(line);
        }
        for (const box of graph.boxes) {
            const group = svg("g", { class: "box" + (box.is_handler ? " handler" : ""), transform: `translate(${box.x - WIDTH / 2} ${box.y - HEIGHT / 2})`, tabindex: 0, "data-id": box.id });
            group.append(svg("rect", { width: WIDTH, height: HEIGHT, rx: 6 }), svg("text", { x: 8, y: 14, class: "kind" }), svg("text", { x: 8, y: 31 }), svg("title", {}));
            group.addEventListener("click", () => choose(box.id));
            group.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(box.id); });
            canvas.append(group);
            drawn.boxes.set(box.id, group);
        }
    }
    for (const box of graph.boxes) {
        const group = drawn.boxes.get(box.id), [kind, label] = group.querySelectorAll("text");
        const name = box.name || (box.is_handler ? "handler" : "");
        kind.textContent = box.kind + (folded.has(box.id) ? " ▸ folded" : "") + (rates[box.id] ? `  ${rate(rates[box.id])}` : "");
        label.textContent = short(name + (box.value !== undefined ? (name ? " = " : "= ") + box.value : ""), 30);
        group.querySelector("title").textContent = `${box.kind} ${name}`;
        group.classList.toggle("chosen", box.id === chosen);
    }
    $("unfold").hidden = folded.size + opened.size === 0;
    isStoppable = graph.stoppable;
    $("graph").dataset.boxes = graph.boxes.length;
    $("graph").dataset.folded = graph.folded;
}

function light(thing) {
    if (!thing) return;
    thing.classList.add("lit");
    clearTimeout(thing.fading);
    thing.fading = setTimeout(() => thing.classList.remove("lit"), 500);
}

function show(changes) {
    seen = changes.number;
    rates = changes.rates;
    for (const id of Object.keys(changes.nodes)) {
        light(drawn.boxes.get(id));
        for (const line of drawn.of.get("from " + id) || []) light(line);
    }
    for (const observation of Object.keys(changes.edges)) {
        light(drawn.of.get(observation));
        light(drawn.boxes.get(drawn.ends.get(observation)));
    }
    const total = Object.values(rates).reduce((sum, each) => sum + each, 0);
    const parts = [`${rate(total)} changes`];
    if (changes.sampled) parts.push("sampled");
    if (changes.lost) parts.push(`${changes.lost} not kept`);
    const hidden = Number($("graph").dataset.folded || 0);
    if (hidden) parts.push(`${hidden} boxes folded: search to find them`);
    $("state").textContent = changes.gone || (changes.stopped ? "It is stopped, for a debugger to look." : parts.join(", "));
    $("continue").hidden = !changes.stopped;
    return !changes.gone;
}

function sentence(change) {
    const what = `${change.kind} ${change.name ? JSON.stringify(change.name) : change.of}`;
    const done = change.new === null ? "changed" : change.old === null ? `sent ${change.new}` : `changed from ${change.old} to ${change.new}`;
    return `${what} ${done}, on thread ${change.thread}` + (!change.handler ? "" : change.is_in_handler ? `, in handler ${change.handler}` : `, by ${change.handler}`);
}

async function choose(id) {
    chosen = id;
    for (const [each, group] of drawn.boxes) group.classList.toggle("chosen", each === id);
    await detail(true);
}

async function tell(what, given) {
    const sent = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
    const problem = sent.ok ? (await sent.json()).problem : await sent.text();
    if ($("problem")) $("problem").textContent = problem;
    await look();
}

function button(text, id, parent, act) {
    const made = html("button", text, parent, { id });
    made.addEventListener("click", act);
    return made;
}

// A device: what it publishes and mirrors.
function showDevice(panel, answer) {
    panel.replaceChildren(html("h2", `device ${drawn.boxes.get(chosen)?.querySelector("title").textContent.slice(7) ?? ""}`, null, { id: "title" }));
    button(opened.has(chosen) ? "Close" : "Open", "open", panel, async () => {
        if (!opened.delete(chosen)) opened.add(chosen);
        await look();
    });
    const table = html("table", null, panel, { id: "properties" });
    for (const { property, of } of answer.properties) {
        const row = html("tr", null, table);
        for (const cell of [property, of ? `${of.kind} ${of.name || of.id}` : "", of && of.value !== undefined ? of.value : ""]) html("td", cell, row);
    }
}

async function detail(isNew) {
    const panel = $("detail");
    if (!chosen) return;
    const answer = await ask("node", { id: chosen });
    if (answer.properties.length) return showDevice(panel, answer);
    if (chosen.startsWith("h") || chosen.startsWith("r")) {
        if (!isNew) return;
        panel.replaceChildren(html("p", "A handler. Its times stand with what it observes."));
        if (answer.place) html("p", answer.place, panel, { id: "place" });
        return;
    }
    if (isNew) {
        panel.replaceChildren();
        html("h2", "", panel, { id: "title" });
        html("p", "", panel, { id: "value" });
        if (answer.node && answer.node.settable) {
            const form = html("form", null, panel, { id: "set" });
            html("input", null, form, { id: "new", "aria-label": "New value", placeholder: "new value" });
            html("button", "Set", form, { id: "send" });
            html("span", "", form, { class: "problem", id: "problem" });
            form.addEventListener("submit", (event) => {
                event.preventDefault();
                tell("set", { id: chosen, text: $("new").value });
            });
        }
        if (isStoppable) button("Stop where it changes", "stop", panel, () => tell("stop", { id: chosen }));
        const fold = html("button", folded.has(chosen) ? "Unfold" : "Fold what it feeds", panel, { id: "fold" });
        fold.addEventListener("click", async () => {
            if (!folded.delete(chosen)) folded.add(chosen);
            fold.textContent = folded.has(chosen) ? "Unfold" : "Fold what it feeds";
            await look();
        });
        html("div", null, panel, { id: "rest" });
    }
    const node = answer.node || { kind: "gone", name: chosen };
    $("title").textContent = `${node.kind} ${node.name || node.id}`;
    $("value").textContent = node.value === undefined ? "" : `= ${node.value}`;
    const rest = $("rest");
    rest.replaceChildren();
    if (answer.handlers.length) {
        html("h3", "Handlers, the slowest first", rest);
        const table = html("table", null, rest), head = html("tr", null, table);
        for (const title of ["", "calls", "mean", "slowest"]) html("th", title, head);
        for (const handler of answer.handlers) {
            const row = html("tr", null, table);
            if (handler.place) row.title = handler.place;
            for (const cell of [handler.name, handler.calls, (handler.mean / 1000).toFixed(1) + " µs", (handler.slowest / 1000).toFixed(1) + " µs"]) html("td", String(cell), row);
        }
    }
    html("h3", `The last ${answer.changes.length} changes`, rest);
    const list = html("ol", null, rest, { id: "changes" });
    for (const change of answer.changes) {
        const item = html("li", sentence(change), list);
        for (const cause of change.path) html("div", "because " + sentence(cause), item, { class: "path" });
    }
}

async function look() {
    draw(await ask("graph", { search: $("search").value, fold: [...folded].join(","), open: [...opened].join(",") }));
    await detail(false);
}

async function tick() {
    let goesOn = true;
    try {
        if (!isFrozen) {
            goesOn = show(await ask("changes", { after: seen }));
            if (tick.count++ % 4 === 0) await look();
        }
    } catch (error) {
        $("state").textContent = "The page is served no more.";
        goesOn = false;
    }
    if (goesOn) timer = setTimeout(tick, 250);
}
tick.count = 0;

$("freeze").addEventListener("click", () => {
    isFrozen = !isFrozen;
    $("freeze").setAttribute("aria-pressed", isFrozen);
    $("freeze").textContent = isFrozen ? "Go on" : "Freeze";
});
$("unfold").addEventListener("click", () => { folded.clear(); opened.clear(); look(); });
$("continue").addEventListener("click", () => tell("continue", {}));
let typing = null;
$("search").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(look, 150); });
tick();
