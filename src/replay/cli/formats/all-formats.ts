/** All formats: those of `traffic`, and the scenario formats. */
import { formats } from '../../formats/catalogue.ts'
import {
  defineFormat,
  type Exporter,
  type ExporterOptions,
  type Format,
} from '../../formats/format.ts'
import { parse } from 'yaml'
import { problem } from '../../../core/base/problem.ts'
import { failureScript, scenarioText } from '../../from-recording/scenario-text.ts'
import type { HeaderLine } from '../../../core/traffic/recording/format.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'

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

type WriteScenario = (yaml: string, warnings: readonly string[], options: ExporterOptions) => string

const scenarioExporter = (write: WriteScenario) =>
  bufferedExporter((content, options) => {
    const { text, warnings } = scenarioText(content, options.timing)
    return write(text, warnings, options)
  })

/** One comment line per warning. */
const comments = (mark: string, warnings: readonly string[]): string =>
  warnings.map((warning) => `${mark} ${warning.replaceAll(/\s+/g, ' ')}\n`).join('')

export const scenarioFormat = defineFormat({
  name: 'scenario',
  summary: 'the decisions of the partner as a scenario for sparring run',
  fileExtensions: ['.yaml', '.yml'],
  maxExchanges: maxScenarioExchanges,
  exporter: scenarioExporter((yaml, warnings) => comments('#', warnings) + yaml),
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
  yaml: string,
  warnings: readonly string[],
  { name, base }: ExporterOptions,
): string {
  const scenario = parse(yaml) as Readonly<Record<string, unknown>>
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
/** Where your service looks for its partner: the first of our ports. */
const port = Number(process.env['SPARRING_PORT'] ?? 7100)

${comments('//', warnings)}const scenario = ${literal(scenario)} satisfies ScenarioInput

test(scenario.name, { timeout: 120_000 }, async () => {
  await using session = await openSession({ ...scenarioOptions(scenario), subject, port${seed} })
  const { failures } = await playScenario(session, scenario)
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
    const playing = bufferedExporter((content, { name, timing }) => {
      const script = failureScript(content, name, timing)
      if (script === undefined) return sending?.end() ?? ''
      if (script.text !== undefined) return script.text
      throw problem(
        `writing the script of ${name}`,
        `a script cannot express this: ${script.untold}`,
        'Export it as scenario, which can.',
      )
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
