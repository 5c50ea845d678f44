/**
 * All formats: those of `traffic` and the scenario formats; and which of them a file has, by its name or its
 * beginning, with the reason.
 */
import { formats } from '../../formats/catalogue.ts'
import {
  defineFormat,
  type Exporter,
  type ExporterOptions,
  type Format,
} from '../../formats/format.ts'
import { parse } from 'yaml'
import { problem } from '../../../core/base/problem.ts'
import { endedService } from '../../from-recording/scenario-script.ts'
import {
  failureScript,
  type ScenarioText,
  scenarioText,
} from '../../from-recording/scenario-text.ts'
import type { HeaderLine } from '../../../core/traffic/recording/format.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import type { ImportSource } from './import-source.ts'

/** Magic numbers as hexadecimal, and what begins with them. */
const magics: readonly (readonly [RegExp, string])[] = [
  [/^504b0304/, 'a zip archive'],
  [/^1f8b/, 'gzip data'],
  [/^25504446/, 'a PDF document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^53514c69746520/, 'an SQLite database'],
]

/** pcap in both byte orders, with microseconds or nanoseconds; pcapng. */
const packetCapture = /^(?:a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1|0a0d0d0a.{8}(?:1a2b3c4d|4d3c2b1a))/

const texts: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype\s+html|html)/i, 'an HTML page'],
  [/^\s*</, 'XML'],
  [/^\s*[[{]/, 'JSON'],
  [/^---\s|^\s*[\w"'-]+:(?:\s|$)/, 'YAML, or text that is like it'],
]

const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString('hex')

const isPacketCapture = (beginning: Uint8Array): boolean => packetCapture.test(startOf(beginning))

/** The UTF-8 text, which may end in the middle of a character; undefined for binary data. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** What the beginning of a file looks like, for messages about files that cannot be imported; never quotes it. */
export function describeContent(beginning: Uint8Array): string {
  if (beginning.length === 0) return 'nothing: it is empty'
  const start = startOf(beginning)
  const magic = magics.find(([pattern]) => pattern.test(start))
  if (magic) return magic[1]
  const text = textOf(beginning)
  if (text !== undefined) return texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'
  return `binary data that begins with the bytes ${start.match(/../g)?.slice(0, 8).join(' ')}`
}

export interface DetectedFormat {
  readonly format: Format
  /** The reason, as one clause. */
  readonly because: string
}

const minConfidence = 0.3

const namesOf = (list: readonly Format[]): string => list.map(({ name }) => name).join(', ')

const importers = (): readonly Format[] => allFormats.filter(({ importer }) => importer)
const exporters = (): readonly Format[] => allFormats.filter(({ exporter }) => exporter)

function formatNamed(name: string, among: readonly Format[], doing: string): Format {
  const format = among.find((each) => each.name === name)
  if (format) return format
  const near = findClosestName(
    name,
    among.map((each) => each.name),
  )
  throw problem(
    'reading --format',
    `${doing} knows no format "${name}"`,
    near === undefined ? `There are ${namesOf(among)}` : `Did you mean ${near}?`,
  )
}

export const findExportFormat = (name: string): Format => formatNamed(name, exporters(), 'export')

/** Whether a beginning is that of a known format, as far as its content tells. */
export const isKnownContent = (beginning: Uint8Array): boolean =>
  importers().some(({ recognises }) => (recognises?.(beginning, '') ?? 0) >= minConfidence)

export function detectImportFormat(
  name: string | undefined,
  { name: path, plainName: file, beginning }: ImportSource,
): DetectedFormat {
  const known = importers()
  if (isPacketCapture(beginning))
    throw problem(
      `importing ${path}`,
      'it is a packet capture, which is not read here',
      'Make a HAR of it first: pcapng_to_har of the Python package pcapng-utils does it by tshark. For TLS, put the ' +
        'key log into the capture before: editcap --inject-secrets tls,<key log> <capture> <new.pcapng>',
    )
  if (name !== undefined)
    return { format: formatNamed(name, known, 'import'), because: 'it was said so' }
  const [best, next] = known
    .map((format) => ({ format, sure: format.recognises?.(beginning, file) ?? 0 }))
    .sort((a, b) => b.sure - a.sure)
  if (!best || best.sure < minConfidence)
    throw problem(
      `importing ${path}`,
      beginning.length === 0
        ? 'it is empty'
        : `its beginning looks like no format that is known here, but like ${describeContent(beginning)}`,
      `Say which it is with --format: ${namesOf(known)}`,
    )
  const ending = best.format.fileExtensions.find((each) => file.toLowerCase().endsWith(each))
  const looks = best.format.recognises?.(beginning, '') ?? 0
  const because =
    looks >= minConfidence
      ? `it begins like one${ending === undefined ? '' : `, and is called *${ending}`}`
      : `it is called *${ending ?? ''}`
  const doubt = next && next.sure === best.sure ? `; ${next.format.name} fits as well` : ''
  return { format: best.format, because: because + doubt }
}

/**
 * Exports the partner's decisions of a recording as a scenario, and that scenario as a Vitest test. Here and not in
 * `traffic/formats`, which must not depend on scenarios.
 */
const maxScenarioExchanges = 100_000

type WriteContent = (content: RecordingContent, options: ExporterOptions) => string

/** Exporter that buffers all exchanges and converts them at the end. */
const bufferedExporter =
  (write: WriteContent) =>
  (options: ExporterOptions): Exporter => {
    const exchanges: RecordedExchange[] = []
    let header: HeaderLine | undefined
    return {
      begin(known) {
        header = known
        return ''
      },
      exchange(exchange) {
        exchanges.push(exchange)
        return ''
      },
      end() {
        if (!header) return ''
        const content = { file: options.name, header, exchanges, problems: [], closed: true }
        return write(content, options)
      },
    }
  }

type WriteScenario = (scenario: ScenarioText, options: ExporterOptions) => string

const scenarioExporter = (write: WriteScenario) =>
  bufferedExporter((content, options) => write(scenarioText(content, options.pace), options))

const inexpressible = (what: string, { name }: ExporterOptions, why: string) =>
  problem(
    `writing the ${what} of ${name}`,
    `a ${what} cannot express this: ${why}`,
    'Export it as scenario, which can.',
  )

/** One comment line per warning. */
const comments = (mark: string, warnings: readonly string[]): string =>
  warnings.map((warning) => `${mark} ${warning.replaceAll(/\s+/g, ' ')}\n`).join('')

export const scenarioFormat = defineFormat({
  name: 'scenario',
  summary: 'the decisions of the partner as a scenario for sparring run',
  fileExtensions: ['.yaml', '.yml'],
  maxExchanges: maxScenarioExchanges,
  exporter: scenarioExporter(({ text, warnings }) => comments('#', warnings) + text),
})

/** A TypeScript literal: JSON with U+2028 and U+2029 escaped. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Imports of the generated test file. */
const imports = [
  "import { expect, test } from 'vitest'",
  "import { openSession, playScenario, type ScenarioInput, scenarioOptions } from 'sparring'",
]

function testText(
  { text, warnings, needsOwnProcess }: ScenarioText,
  options: ExporterOptions,
): string {
  const { name, base } = options
  if (needsOwnProcess) throw inexpressible('test', options, endedService)
  const scenario = parse(text) as Readonly<Record<string, unknown>>
  const subject = JSON.stringify(base ?? 'http://127.0.0.1:3000')
  // Fresh ids for a service that runs on, unless the seed is part of the scenario.
  const seed = scenario['seed'] === undefined ? ', seed: Date.now()' : ''
  const title = JSON.stringify(name).slice(1, -1).replaceAll('*/', '* /')
  return `/**
 * Made of the recording ${title}.
 *
 * The partner decides as it did there, in a fresh world, and your service has to come to the same ends. Put your app in
 * the place of the address, such as \`app.fetch\`, and nothing touches a socket.
 */
${imports.join('\n')}

const subject = process.env['SUBJECT_URL'] ?? ${subject}
/** Port of the control API: the Ordering Application listens at the next one, the Software Service at the one after that. */
const port = Number(process.env['SPARRING_PORT'] ?? 7100)

${comments('//', warnings)}const scenario: ScenarioInput = ${literal(scenario)}

test(scenario.name, { timeout: 120_000 }, async () => {
  await using session = await openSession({ ...scenarioOptions(scenario), subject, port${seed} })
  const { failures, unexercised } = await playScenario(session, scenario)
  for (const { because } of unexercised) console.warn(because)
  expect(failures.map(({ kind, because }) => \`\${kind}: \${because}\`)).toEqual([])
})
`
}

export const vitestFormat = defineFormat({
  name: 'vitest',
  summary: 'the same scenario as a test for Vitest, played by the library',
  fileExtensions: ['.test.ts', '.spec.ts'],
  maxExchanges: maxScenarioExchanges,
  exporter: scenarioExporter(testText),
})

/** The script of a failure that no single request shows plays the partner; any other sends the requests. */
const withFailureScript = (requests: Format): Format => ({
  ...requests,
  exporter(options) {
    const sending = requests.exporter?.(options)
    const playing = bufferedExporter((content, { name, pace }) => {
      const script = failureScript(content, name, pace)
      if (script === undefined) return sending?.end() ?? ''
      if (script.text !== undefined) return script.text
      throw inexpressible('script', options, script.untold)
    })(options)
    return {
      begin: (...args) => playing.begin(...args) + (sending?.begin(...args) ?? ''),
      exchange: (...args) => playing.exchange(...args) + (sending?.exchange(...args) ?? ''),
      end: playing.end,
    }
  },
})

export const allFormats: readonly Format[] = [
  ...formats.map((format) => (format.name === 'curl' ? withFailureScript(format) : format)),
  scenarioFormat,
  vitestFormat,
]
