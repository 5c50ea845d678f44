/** Imports cassettes of VCR and its relatives, in YAML or JSON: interactions of a request and its response. */
import { createByteQueue } from './byte-queue.ts'
import { type CassetteItem, createCassetteSplitter } from './cassette-items.ts'
import { parseCassetteYaml } from './cassette-yaml.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createLineQueue } from './line-queue.ts'
import { parsePartialJson } from './partial-json.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { importInteraction } from './vcr-interaction.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

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
  const queue = createByteQueue()
  const problems = createProblemList()
  const read = createInteractionReader(options, problems)
  let tooLarge = false

  function readAll(): readonly ImportedExchange[] {
    if (tooLarge) {
      problems.add('the file', `a cassette in JSON of more than ${maxJsonBytes} bytes`, true)
      return []
    }
    const partial = parsePartialJson(new TextDecoder().decode(queue.take(queue.size())))
    const cassette = isUnknownRecord(partial?.value) ? partial.value : {}
    const list = cassette['http_interactions'] ?? cassette['interactions']
    if (partial?.isWhole !== true)
      problems.add(`character ${partial?.readChars ?? 0}`, 'behind it the document is broken', true)
    else if (!Array.isArray(list))
      problems.add('the file', 'it has no list of interactions, so it is no cassette', true)
    return Array.isArray(list) ? list.flatMap((each: unknown) => read(each)) : []
  }

  return {
    feed(bytes) {
      tooLarge ||= queue.size() + bytes.length > maxJsonBytes
      if (!tooLarge) queue.push(bytes)
      return []
    },
    finish: () => ({ remaining: readAll(), problems: problems.all() }),
  }
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
