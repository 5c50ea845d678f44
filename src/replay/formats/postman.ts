/**
 * Imports Postman collections v2.0 and v2.1: an exchange per saved example; a request without examples has no response.
 */
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import type { CurlRequest } from './curl-request.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import {
  extendVariables,
  objectsIn,
  parseEnvironment,
  postmanRequestOf,
  postmanResponseHeaders,
  type PostmanScope,
  unresolvedVariables,
} from './postman-request.ts'
import { createProblemList } from './problem-list.ts'
import { createWholeFileImporter, parsePartialJson } from './whole-file-importer.ts'

/** Of empty objects forty times as much is held. */
const maxBytes = 32 * 1024 * 1024
const maxDepth = 60

function replyOf(response: UnknownRecord) {
  const status = Number(response['code'])
  const body = response['body']
  if (!Number.isInteger(status) || status < 100 || status > 999) return undefined
  return {
    status,
    headers: postmanResponseHeaders(response['header']),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  }
}

const durationOf = (response: UnknownRecord): number => {
  const took = Number(response['responseTime'])
  return Number.isFinite(took) ? took : 0
}

interface TimedRequest {
  readonly request: CurlRequest
  readonly startedAt: number
}

function importedOf(
  { request, startedAt }: TimedRequest,
  response?: UnknownRecord,
): ImportedExchange {
  const { method, url, headers, body, warn } = request
  const reply = response && replyOf(response)
  const open = unresolvedVariables(JSON.stringify([url, headers, body ?? '']))
  return {
    exchange: createForeignExchange({
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

interface Folder extends PostmanScope {
  readonly items: readonly UnknownRecord[]
  readonly depth: number
}

function createImporter(options: ImporterOptions): Importer {
  const problems = createProblemList()

  function itemOf(
    item: UnknownRecord,
    folder: Folder,
    startedAt: number,
  ): readonly ImportedExchange[] {
    const variables = extendVariables(item['variable'], folder.variables)
    const place = { variables, auth: folder.auth }
    const asked = { request: postmanRequestOf(item['request'], place), startedAt }
    const examples = objectsIn(item['response'])
    if (examples.length === 0) return [importedOf(asked)]
    return examples.map((example, index) => {
      const original = example['originalRequest']
      const request = original === undefined ? asked.request : postmanRequestOf(original, place)
      return importedOf({ request, startedAt: startedAt + index }, example)
    })
  }

  /** Depth-first in display order; iterative, since nesting is controlled by the file. */
  function exchangesIn(collection: UnknownRecord): readonly ImportedExchange[] {
    const found: ImportedExchange[] = []
    const variables = extendVariables(collection['variable'], parseEnvironment(options.mapping))
    const open: { readonly folder: Folder; next: number }[] = []
    const enter = (folder: Folder) => open.push({ folder, next: 0 })
    enter({
      items: objectsIn(collection['item']),
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
          items: objectsIn(item['item']),
          variables: extendVariables(item['variable'], at.folder.variables),
          auth: item['auth'] ?? at.folder.auth,
          depth: at.folder.depth + 1,
        })
    }
    return found
  }

  function read(text: string): readonly ImportedExchange[] {
    const partial = parsePartialJson(text)
    if (!partial) {
      problems.add('byte 0', 'it is no JSON document', true)
      return []
    }
    if (!partial.isWhole) {
      const bytes = new TextEncoder().encode(text.slice(0, partial.readChars)).length
      problems.add(
        `byte ${bytes}`,
        'behind it the document is damaged; what comes before was read',
        true,
      )
    }
    // Exports of the Postman API are wrapped in `collection`.
    const outer: UnknownRecord = isUnknownRecord(partial.value) ? partial.value : {}
    const inner = outer['collection']
    const collection = isUnknownRecord(inner) ? inner : outer
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

  return createWholeFileImporter({
    maxBytes,
    problems,
    tooLarge: [`byte ${maxBytes}`, `a collection of more than ${maxBytes} bytes is not read`],
    read,
    creator: { name: 'Postman' },
  })
}

export const postmanFormat = defineFormat({
  name: 'postman',
  summary: 'collections of Postman, v2.0 and v2.1; the mapping may be an environment',
  fileExtensions: ['.postman_collection.json', '.postman.json'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (/schema\.(?:get)?postman\.com/.test(text)) return 0.95
    return /"_postman_id"/.test(text) ? 0.8 : 0
  },
  importer: createImporter,
})
