/** Imports Postman collections v2.0 and v2.1: an exchange per saved example; a request without examples has no response. */
import { createByteQueue } from './byte-queue.ts'
import { mendedJson } from './broken-json.ts'
import { foreignExchange } from './foreign-exchange.ts'
import { defineFormat, type Imported, type Importer, type ImportOptions } from './format.ts'
import { isMembers, type Members } from '../har-message.ts'
import {
  listIn,
  type PostmanRequest,
  requestOf,
  responseHeaders,
  type RequestPlace,
} from './postman-request.ts'
import { environmentOf, openIn, variablesIn } from './postman-variables.ts'
import { createProblemList } from './problem-list.ts'

const maxBytes = 512 * 1024 * 1024
const maxDepth = 60

function replyOf(response: Members) {
  const status = Number(response['code'])
  const body = response['body']
  if (!Number.isInteger(status) || status < 100 || status > 999) return undefined
  return {
    status,
    headers: responseHeaders(response['header']),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  }
}

const durationOf = (response: Members): number => {
  const took = Number(response['responseTime'])
  return Number.isFinite(took) ? took : 0
}

interface TimedRequest {
  readonly request: PostmanRequest
  readonly startedAt: number
}

function importedOf({ request, startedAt }: TimedRequest, response?: Members): Imported {
  const { method, url, headers, body, warn } = request
  const reply = response && replyOf(response)
  const open = openIn(JSON.stringify([url, headers, body ?? '']))
  return {
    exchange: foreignExchange({
      startedAt,
      tookMs: response && durationOf(response),
      method,
      url,
      headers,
      body,
      reply,
    }),
    warn: [
      'clock inferred',
      ...warn,
      ...(open.length > 0 ? [`variables left open: ${open.join(', ')}`] : []),
      ...(reply ? [] : ['no response']),
    ],
  }
}

interface Folder extends RequestPlace {
  readonly items: readonly Members[]
  readonly depth: number
}

function createImporter(options: ImportOptions): Importer {
  const queue = createByteQueue()
  const problems = createProblemList()
  let tooLarge = false

  function itemOf(item: Members, folder: Folder, startedAt: number): readonly Imported[] {
    const variables = variablesIn(item['variable'], folder.variables)
    const place = { variables, auth: folder.auth }
    const asked = { request: requestOf(item['request'], place), startedAt }
    const examples = listIn(item['response'])
    if (examples.length === 0) return [importedOf(asked)]
    return examples.map((example, index) => {
      const original = example['originalRequest']
      const request = original === undefined ? asked.request : requestOf(original, place)
      return importedOf({ request, startedAt: startedAt + index }, example)
    })
  }

  /** Depth-first in display order; iterative, since nesting is controlled by the file. */
  function exchangesIn(collection: Members): readonly Imported[] {
    const found: Imported[] = []
    const variables = variablesIn(collection['variable'], environmentOf(options.mapping))
    const open: { readonly folder: Folder; next: number }[] = []
    const enter = (folder: Folder) => open.push({ folder, next: 0 })
    enter({
      items: listIn(collection['item']),
      variables,
      auth: collection['auth'],
      depth: 1,
    })
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const item = at.folder.items[at.next++]
      if (!item) open.pop()
      else if (item['request'] !== undefined)
        found.push(...itemOf(item, at.folder, options.now + found.length))
      else if (at.folder.depth >= maxDepth)
        problems.add('the file', `folders deeper than ${maxDepth} were left out`)
      else
        enter({
          items: listIn(item['item']),
          variables: variablesIn(item['variable'], at.folder.variables),
          auth: item['auth'] ?? at.folder.auth,
          depth: at.folder.depth + 1,
        })
    }
    return found
  }

  function readAll(): readonly Imported[] {
    const text = new TextDecoder('utf-8').decode(queue.take(queue.size()))
    const partial = mendedJson(text)
    if (!partial) {
      problems.add('byte 0', 'it is no JSON document', true)
      return []
    }
    if (!partial.whole) {
      const bytes = new TextEncoder().encode(text.slice(0, partial.read)).length
      problems.add(
        `byte ${bytes}`,
        'behind it the document is broken; what stands before was read',
        true,
      )
    }
    // Exports of the Postman API are wrapped in `collection`.
    const outer: Members = isMembers(partial.value) ? partial.value : {}
    const inner = outer['collection']
    const collection = isMembers(inner) ? inner : outer
    if (!Array.isArray(collection['item'])) {
      problems.add(
        'the file',
        'it is no collection of version 2: it has no items. Export it as v2.1',
        true,
      )
      return []
    }
    return exchangesIn(collection)
  }

  return {
    feed(bytes) {
      tooLarge ||= queue.size() + bytes.length > maxBytes
      if (!tooLarge) queue.push(bytes)
      return []
    },
    finish() {
      if (tooLarge)
        problems.add(
          `byte ${maxBytes}`,
          `a collection of more than ${maxBytes} bytes is not read`,
          true,
        )
      return {
        last: tooLarge ? [] : readAll(),
        problems: problems.all(),
        creator: { name: 'Postman' },
      }
    },
  }
}

export const postmanFormat = defineFormat({
  name: 'postman',
  summary: 'collections of Postman, v2.0 and v2.1; the mapping may be an environment',
  endings: ['.postman_collection.json', '.postman.json'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (/schema\.(?:get)?postman\.com/.test(text)) return 0.95
    return /"_postman_id"/.test(text) ? 0.8 : 0
  },
  importer: createImporter,
})
