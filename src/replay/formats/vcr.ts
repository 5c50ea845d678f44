/** Imports cassettes of VCR and its relatives, in YAML or JSON: interactions of a request and its response. */
import { createByteQueue, createLineQueue, type NumberedLine } from './byte-queue.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { parseDocument, type ScalarTag } from 'yaml'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { bytesFromBase64 } from '../../core/traffic/redaction/base64.ts'
import { createWholeFileImporter, parsePartialJson } from './whole-file-importer.ts'
import { compact } from '../../core/base/compact.ts'
import {
  isRecordableInstant,
  parseHttpDate,
  parseIsoInstant,
} from '../../core/traffic/date-time.ts'
import type { ExchangeReply } from '../../core/traffic/exchange.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  parseLoggedDuration,
  parseLoggedHeaders,
  parseLoggedNumber,
  scalarText,
} from './log-values.ts'
import { foreignMessage, type ForeignMessage } from './http-message.ts'

/** The first value that is no absence. */
const firstOf = (...values: readonly unknown[]): unknown =>
  values.find((each) => each !== undefined && each !== null)

/** A text, bytes, or an object with one of them: `string`, and `base64_string` where the text is none. */
function bytesOf(body: unknown): Uint8Array {
  const value = isUnknownRecord(body) ? firstOf(body['string'], body['text']) : body
  if (value instanceof Uint8Array) return value
  const coded = isUnknownRecord(body) ? scalarText(body['base64_string']) : undefined
  const decoded = coded === undefined ? undefined : bytesFromBase64(coded.replaceAll(/\s+/g, ''))
  return decoded ?? new TextEncoder().encode(scalarText(value) ?? '')
}

function messageOf(message: UnknownRecord, side: string, options: ImporterOptions): ForeignMessage {
  const headers = parseLoggedHeaders(message['headers'])
  // httpx of vcrpy calls it content.
  const bytes = bytesOf(firstOf(message['body'], message['content']))
  return foreignMessage(bytes, headers, side, options.decode)
}

/** `status: {code: 200}`, `code: 200` with `status: 200 OK`, `status_code: 200`. */
function statusOf(response: UnknownRecord): number | undefined {
  const { status } = response
  const code = parseLoggedNumber(
    firstOf(
      isUnknownRecord(status) ? status['code'] : undefined,
      response['code'],
      response['status_code'],
      status,
    ),
  )
  return code !== undefined && code >= 100 && code <= 999 ? Math.trunc(code) : undefined
}

interface Reply {
  readonly reply?: ExchangeReply
  readonly warn: readonly string[]
}

function replyOf(response: unknown, options: ImporterOptions): Reply {
  const status = isUnknownRecord(response) ? statusOf(response) : undefined
  if (!isUnknownRecord(response) || status === undefined) return { warn: ['no response'] }
  const { headers, body, wire, warn } = messageOf(response, 'response', options)
  return { reply: { status, headers, ...compact({ body, wire }) }, warn }
}

/** `Tue, 01 Nov 2011 04:58:44 GMT`, or RFC 3339. */
function instantOf(value: unknown): number | undefined {
  const text = scalarText(value) ?? ''
  const at = parseHttpDate(text) ?? parseIsoInstant(text)
  return at !== undefined && isRecordableInstant(at) ? at : undefined
}

/** A duration of Go: `1m2.5s`, `131.2ms`; old cassettes have nanoseconds. */
export function parseGoDuration(value: unknown): number | undefined {
  const text = scalarText(value) ?? ''
  if (/^\d+$/.test(text)) return parseLoggedDuration(Number(text), 'ns')
  const whole = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(\d.*)?$/.exec(text)
  if (!whole || text === '') return undefined
  const [, hours = '0', minutes = '0', rest = '0s'] = whole
  const ms = parseLoggedDuration(rest)
  return ms === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60_000 + ms
}

const recordedTemplate = /<%[-=]?\s/

/**
 * Converts an interaction of a cassette to an exchange: VCR (Ruby), vcrpy (Python) and go-vcr (Go) name it
 * differently. The exchange of an interaction; `startedAt` is for one that does not say when it was.
 */
function importInteraction(
  interaction: unknown,
  startedAt: number,
  options: ImporterOptions,
): Result<ImportedExchange, string> {
  const request = isUnknownRecord(interaction) ? interaction['request'] : undefined
  if (!isUnknownRecord(interaction) || !isUnknownRecord(request)) return err('it has no request')
  const method = (scalarText(request['method']) ?? '').replace(/^:/, '').toUpperCase()
  const url = scalarText(firstOf(request['uri'], request['url'])) ?? ''
  if (method === '' || !URL.canParse(url)) return err('its request has no method or no URL')
  const { response } = interaction
  const asked = messageOf(request, 'request', options)
  const { reply, warn } = replyOf(response, options)
  const recordedAt = instantOf(interaction['recorded_at'])
  const took = firstOf(
    isUnknownRecord(response) ? response['duration'] : undefined,
    request['duration'],
  )
  const remarks = [
    ...asked.warn,
    ...warn,
    ...(recordedAt === undefined ? ['clock inferred'] : []),
    ...(recordedTemplate.test(url + (asked.body ?? '') + (reply?.body ?? ''))
      ? ['its templates were left as they are written']
      : []),
  ]
  return ok({
    exchange: createForeignExchange({
      startedAt: recordedAt ?? startedAt,
      tookMs: parseGoDuration(took),
      method,
      url,
      headers: asked.headers,
      body: asked.body,
      wire: asked.wire,
      reply,
    }),
    ...(remarks.length > 0 ? { warn: remarks } : {}),
  })
}

/** A cassette in JSON is parsed whole. */
const maxJsonBytes = 64 * 1024 * 1024
const openBrace = 123

/** Converts interactions in order; one that does not say when it was follows the one before. */
function createInteractionReader(options: ImporterOptions, problems: ProblemList) {
  let count = 0
  let next = options.now
  return (interaction: unknown, where = ''): readonly ImportedExchange[] => {
    count++
    const imported = importInteraction(interaction, next, options)
    if (imported.ok) {
      const { startedAt, tookMs } = imported.value.exchange
      next = startedAt + Math.max(1, tookMs)
      return [imported.value]
    }
    problems.add(`interaction ${count}${where}`, imported.error)
    return []
  }
}

const alias = /(?:^|[\s[{,])\*[\w-]/m
const anchor = /(?:^|[\s[{,])&[\w-]/m
const maxAnchoredChars = 4 * 1024 * 1024

function createYamlImporter(options: ImporterOptions): Importer {
  const lines = createLineQueue()
  const problems = createProblemList()
  const splitter = createCassetteSplitter(problems)
  const read = createInteractionReader(options, problems)
  let lastLine = 0
  /** Interactions with anchors, which later ones may refer to. */
  let anchored = ''

  function takeItem(item: CassetteItem | undefined): readonly ImportedExchange[] {
    if (!item) return []
    let list = parseCassetteYaml(item.text)
    if (!list.ok && alias.test(item.text)) list = parseCassetteYaml(`${anchored}${item.text}`)
    if (anchor.test(item.text) && anchored.length + item.text.length < maxAnchoredChars)
      anchored += `${item.text}\n`
    const where = `, line ${item.line}`
    if (list.ok) return read(list.value.at(-1), where)
    problems.add(`line ${item.line}`, `the interaction that begins there is no YAML: ${list.error}`)
    return []
  }

  return {
    feed: (bytes) =>
      lines.feed(bytes).flatMap((line) => {
        lastLine = line.number
        return takeItem(splitter.take(line))
      }),
    finish() {
      const remaining = [
        ...lines.finish().flatMap((line) => takeItem(splitter.take(line))),
        ...takeItem(splitter.finish()),
      ]
      if (!splitter.hasList())
        problems.add(
          `line ${lastLine}`,
          'it ends without a list http_interactions or interactions, so it is no cassette',
          true,
        )
      return { remaining, problems: [...lines.problems(), ...problems.all()] }
    },
  }
}

function createJsonImporter(options: ImporterOptions): Importer {
  const problems = createProblemList()
  const readInteraction = createInteractionReader(options, problems)

  function read(text: string): readonly ImportedExchange[] {
    const partial = parsePartialJson(text)
    const cassette = isUnknownRecord(partial?.value) ? partial.value : {}
    const list = cassette['http_interactions'] ?? cassette['interactions']
    if (partial?.isWhole !== true)
      problems.add(`character ${partial?.readChars ?? 0}`, 'behind it the document is broken', true)
    else if (!Array.isArray(list))
      problems.add('the file', 'it has no list of interactions, so it is no cassette', true)
    return Array.isArray(list) ? list.flatMap((each: unknown) => readInteraction(each)) : []
  }

  return createWholeFileImporter({
    maxBytes: maxJsonBytes,
    problems,
    tooLarge: ['the file', `a cassette in JSON of more than ${maxJsonBytes} bytes`],
    read,
  })
}

/** JSON or YAML, by the first byte that is neither blank nor part of a byte order mark. */
function createImporter(options: ImporterOptions): Importer {
  const held = createByteQueue()
  let chosen: Importer | undefined

  function choose(first: number | undefined): readonly ImportedExchange[] {
    chosen = (first === openBrace ? createJsonImporter : createYamlImporter)(options)
    return chosen.feed(held.take(held.size()))
  }

  return {
    feed(bytes) {
      if (chosen) return chosen.feed(bytes)
      held.push(bytes)
      const first = bytes.find((byte) => byte > 32 && byte < 0x80)
      return first === undefined ? [] : choose(first)
    },
    finish() {
      const early = chosen ? [] : choose(undefined)
      const { remaining = [], problems = [] } = chosen?.finish() ?? {}
      return { remaining: [...early, ...remaining], problems }
    },
  }
}

export const vcrFormat = defineFormat({
  name: 'vcr',
  summary: 'cassettes of VCR (Ruby), vcrpy (Python) and go-vcr (Go), YAML or JSON',
  fileExtensions: ['.yml', '.yaml'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (/^["']?(?:http_)?interactions["']?\s*:\s*(?:\[\s*\])?\s*(?:#.*)?\r?$/m.test(text))
      return 0.9
    return /^[\s\uFEFF]*\{[^{[]*"(?:http_)?interactions"\s*:\s*\[/.test(text) ? 0.8 : 0
  },
  importer: createImporter,
})

const nullTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:null',
  default: true,
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => null,
}

const binaryTag = (tag: string): ScalarTag => ({
  tag,
  resolve: (text, onError) => {
    const bytes = bytesFromBase64(text.replaceAll(/\s+/g, ''))
    if (!bytes) onError('binary data that is no base64')
    return bytes ?? null
  },
})

const yamlOptions = {
  schema: 'failsafe',
  customTags: [nullTag, binaryTag('tag:yaml.org,2002:binary'), binaryTag('!binary')],
  // Tags of classes are of no interest here.
  resolveKnownTags: false,
  logLevel: 'error',
  prettyErrors: false,
  strict: false,
  uniqueKeys: false,
} as const

/**
 * Parses one interaction of a cassette in YAML. Scalars stay texts as they are written, so that a header of `1.10` is
 * not the number 1.1; only null and binary data are recognised, the latter in the spelling of Ruby too. The elements of
 * a YAML list.
 */
function parseCassetteYaml(text: string): Result<readonly unknown[], string> {
  try {
    const document = parseDocument(text, {
      ...yamlOptions,
      customTags: [...yamlOptions.customTags],
    })
    const [error] = document.errors
    if (error) return err(error.message)
    // Aliases of aliases may stand for gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 1000 })
    return Array.isArray(value) ? ok(value) : err('it is no list')
  } catch (error) {
    // Nested too deep, or too many aliases.
    return err(error instanceof Error ? error.message : String(error))
  }
}

interface CassetteItem {
  /** A YAML list with one element. */
  readonly text: string
  /** Number of its first line. */
  readonly line: number
}

export const maxInteractionChars = 16 * 1024 * 1024

const listName = /^(["']?)(?:http_)?interactions\1\s*:\s*(?:#.*)?$/
const emptyList = /^(["']?)(?:http_)?interactions\1\s*:\s*\[\s*\]\s*(?:#.*)?$/
const skippable = /^\s*(?:#.*)?$/

const indentOf = (text: string): number => text.length - text.trimStart().length
const isDash = (text: string, indent: number): boolean =>
  text.charAt(indent) === '-' && /^\s?$/.test(text.charAt(indent + 1))

/**
 * Splits a cassette in YAML into the texts of its interactions, line by line, so that a cassette of any length is read
 * in the memory of its largest interaction. Works for block lists, which is how the recorders write them.
 */
function createCassetteSplitter(problems: ProblemList) {
  let place: 'before' | 'list' | 'behind' = 'before'
  let isFound = false
  /** Column of the dashes; -1 before the first. */
  let indent = -1
  let lines: string[] = []
  let first = 0
  let chars = 0

  function end(): CassetteItem | undefined {
    const item = { text: lines.join('\n'), line: first }
    const isEmpty = first === 0
    const isTooLong = chars > maxInteractionChars
    lines = []
    first = 0
    chars = 0
    if (isTooLong)
      problems.add(
        `line ${item.line}`,
        `an interaction of more than ${maxInteractionChars} characters was left out`,
      )
    return isEmpty || isTooLong ? undefined : item
  }

  function add(number: number, text: string): void {
    first ||= number
    chars += text.length + 1
    if (chars <= maxInteractionChars) lines.push(text)
    else lines = []
  }

  function inList({ number, text }: NumberedLine): CassetteItem | undefined {
    const column = indentOf(text)
    if (indent < 0 && !skippable.test(text) && isDash(text, column)) indent = column
    if (column === indent && isDash(text, column)) {
      const before = end()
      add(number, text)
      return before
    }
    if (skippable.test(text) || column > indent) {
      if (first > 0) add(number, text)
      return undefined
    }
    // A member of the cassette behind the list, such as `version: 1`.
    place = 'behind'
    return end()
  }

  return {
    /** The interaction that ends before this line. */
    take(line: NumberedLine): CassetteItem | undefined {
      if (place === 'list') return inList(line)
      if (place === 'before' && listName.test(line.text)) {
        place = 'list'
        isFound = true
      } else if (emptyList.test(line.text)) isFound = true
      return undefined
    },
    finish: end,
    /** The list of interactions was found. */
    hasList: () => isFound,
  }
}
