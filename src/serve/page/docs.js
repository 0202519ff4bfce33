// Shows /openapi.json and sends requests that a person writes.
'use strict';

(() => {
const $ = id => document.getElementById(id);
const MOST_SHOWN = 20000;  // characters of a response

let api;
let languages = {};  // by the names of their fields

function node(tag, attributes, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** Follows a reference within the description. */
function resolved(item) {
  if (!item.$ref) return item;
  return item.$ref.split('/').slice(1).reduce((part, name) => part[name], api);
}

/** The fields of an object, or of the entries of a list, in one list: [name, schema, whether it is required]. */
function fieldsOf(schema) {
  const {allOf = [], oneOf = [], items, properties = {}, required = []} = resolved(schema);
  const fields = [...allOf, ...oneOf, ...(items ? [items] : [])].flatMap(fieldsOf);
  fields.push(...Object.entries(properties).map(([name, field]) => [name, resolved(field), required.includes(name)]));
  return [...new Map(fields.map(field => [field[0], field])).values()];  // alternatives share some
}

/** The schema of what a list of lists holds. */
function entryOf(schema) {
  const {items} = resolved(schema);
  return items ? entryOf(items) : resolved(schema);
}

function typeOf(schema) {
  const {type, items, oneOf, enum: values} = resolved(schema);
  if (values) return values.join(', ');
  if (oneOf) return oneOf.map(typeOf).join(' or ');
  return type === 'array' && items ? `list of ${typeOf(items)}` : [type || 'any'].flat().join(' or ');
}

/** The fields, each with its own ones; those of an object are listed once. */
function listOf(fields, listed = new Set()) {
  const items = fields.map(([name, schema, required]) => {
    const notes = [typeOf(schema), ...(required ? ['required'] : [])].join('; ');
    const entry = entryOf(schema), inner = listed.has(entry) ? [] : fieldsOf(entry);
    listed.add(entry);
    return node('li', {}, node('code', {}, name), ' ', node('span', {}, notes),
        ...(schema.description ? [node('div', {}, schema.description)] : []), ...listOf(inner, listed));
  });
  return items.length ? [node('ul', {}, ...items)] : [];
}

const fieldList = (title, fields) => fields.length ? [node('h2', {}, title), ...listOf(fields)] : [];

/** The example with languages that this server translates. */
function exampleOf(content) {
  const example = {...content.example};
  Object.keys(example).forEach(name => { example[name] = languages[name] || example[name]; });
  return JSON.stringify(example, null, 1);
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** What an operation is sent with: the fields of a form, or a body as text. */
class Trial {
  constructor(path, method, operation) {
    this.path = path;
    this.method = method;
    this.inputs = [];  // [place, name, element]: place is path, query or form
    this.id = operation.operationId;
    (operation.parameters || []).forEach(({name, in: place, schema}) => this.addInput(place, name, schema));
    const content = operation.requestBody ? operation.requestBody.content : {};
    if (content['application/json']) this.addBody(content['application/json']);
    else if (content['multipart/form-data']) {
      fieldsOf(content['multipart/form-data'].schema)
          .filter(([name]) => name !== 'api_key')
          .forEach(([name, schema]) => this.addInput('form', name, schema));
    }
    this.curl = node('pre', {tabindex: 0, 'aria-label': 'As a command'});
    this.result = node('div', {'aria-live': 'polite'});
    this.form = node('form', {}, ...this.labelled(), node('button', {type: 'submit'}, 'Send'));
    this.form.addEventListener('input', () => this.showCommand());
    this.form.addEventListener('submit', event => { event.preventDefault(); this.send(); });
    this.showCommand();
  }

  addInput(place, name, schema) {
    const id = `${this.id}-${name}`;
    const {format, enum: values} = resolved(schema);
    const input = values ? node('select', {id}, ...['', ...values].map(value => node('option', {value}, value)))
                         : node('input', {id, type: format === 'binary' ? 'file' : 'text'});
    if (languages[name]) input.value = languages[name];
    this.inputs.push([place, name, input]);
  }

  addBody(content) {
    const text = exampleOf(content);
    this.body = node('textarea', {id: `${this.id}-body`, rows: text.split('\n').length + 1, spellcheck: false});
    this.body.value = text;
  }

  labelled() {
    const all = this.inputs.map(([, name, input]) => [name, input]);
    if (this.body) all.push(['Body (JSON)', this.body]);
    return all.flatMap(([name, input]) => [node('label', {for: input.id}, name), input]);
  }

  url() {
    let path = this.path;
    const query = new URLSearchParams();
    this.inputs.forEach(([place, name, {value}]) => {
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (place === 'query' && value) query.append(name, value);
    });
    return `${new URL(path.slice(1), location)}${query.size ? `?${query}` : ''}`;
  }

  showCommand() {
    const parts = [`curl -s ${quoted(this.url())}`];
    if ($('key').value) parts.push('-H "Authorization: Bearer $KEY"');
    if (this.body) parts.push(`-H 'Content-Type: application/json' -d ${quoted(this.body.value)}`);
    this.inputs.filter(([place]) => place === 'form').forEach(([, name, input]) => {
      const file = input.type === 'file' ? `@${input.files.length ? input.files[0].name : 'FILE'}` : input.value;
      parts.push(`-F ${quoted(`${name}=${file}`)}`);
    });
    this.curl.textContent = parts.join(' \\\n  ');
  }

  request() {
    const headers = {};
    if ($('key').value) headers.Authorization = `Bearer ${$('key').value}`;
    if (this.method === 'get') return {headers};
    if (this.body) return {method: 'POST', headers: {...headers, 'Content-Type': 'application/json'}, body: this.body.value};
    const body = new FormData();
    this.inputs.forEach(([, name, input]) => {
      if (input.type !== 'file') body.append(name, input.value);
      else if (input.files.length) body.append(name, input.files[0]);
    });
    return {method: 'POST', headers, body};
  }

  async send() {
    this.result.replaceChildren(node('p', {}, 'Waiting…'));
    try {
      const response = await fetch(this.url(), this.request());
      await this.show(response);
    } catch (error) {
      this.result.replaceChildren(node('p', {}, `No response: ${error.message}`));
    }
  }

  async show(response) {
    const text = await response.text();
    const shown = [node('h2', {}, `Status ${response.status}`)];
    const wait = response.headers.get('Retry-After');
    if (wait) shown.push(node('p', {}, `Retry-After: ${wait} s`));
    let json;
    try { json = JSON.parse(text); } catch { json = undefined; }
    const written = json === undefined ? text : JSON.stringify(json, null, 1);
    shown.push(node('pre', {tabindex: 0, 'aria-label': 'Response'}, written.slice(0, MOST_SHOWN)));
    const file = json && json.translatedFileUrl && new URL(json.translatedFileUrl, location);
    if (file) shown.push(node('p', {}, node('a', {href: file.pathname.slice(1)}, 'Fetch the file')));
    this.result.replaceChildren(...shown);
  }
}

function showOperation(path, method, operation, trials) {
  const trial = new Trial(path, method, operation);
  trials.push(trial);
  const content = operation.requestBody ? Object.values(operation.requestBody.content)[0] : null;
  const parameters = (operation.parameters || []).map(
      ({name, schema, description, required}) => [name, {...resolved(schema), description}, required]);
  const [ok] = Object.entries(operation.responses).filter(([status]) => status === '200');
  const answer = Object.values(ok[1].content)[0].schema;
  $('routes').append(node('details', {id: operation.operationId},
      node('summary', {}, node('b', {class: `method ${method}`}, method.toUpperCase()), node('code', {}, path),
          node('span', {}, operation.summary)),
      node('div', {class: 'route'},
          ...fieldList('Parameters', parameters),
          ...(content ? fieldList('Fields', fieldsOf(content.schema)) : []),
          node('h2', {}, 'Response'), node('p', {}, `${ok[1].description}.`),
          ...fieldList('Fields of the response', fieldsOf(answer)),
          node('h2', {}, 'Try it'), trial.form, trial.curl, trial.result)));
}

async function show() {
  const [description, info] = await Promise.all(
      ['openapi.json', 'v1/info'].map(async name => (await fetch(name)).json()));
  api = description;
  const {source, target} = info;
  const upper = target === 'en' ? 'EN-US' : target === 'pt' ? 'PT-PT' : target.toUpperCase();
  languages = {source, target, source_lang: source.toUpperCase(), target_lang: upper};
  $('description').textContent = api.info.description;
  const trials = [];
  Object.entries(api.paths).forEach(([path, operations]) => Object.entries(operations).forEach(
      ([method, operation]) => showOperation(path, method, operation, trials)));
  $('key-form').hidden = !info.api_key;
  $('key-form').addEventListener('submit', event => event.preventDefault());
  $('key').addEventListener('input', () => trials.forEach(trial => trial.showCommand()));
  const wanted = location.hash && $(location.hash.slice(1));
  if (wanted) wanted.open = true;
}

show().catch(error => {
  $('problem').textContent = `The description cannot be loaded: ${error.message}`;
  $('problem').hidden = false;
});
})();
