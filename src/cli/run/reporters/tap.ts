/** For whatever reads the Test Anything Protocol, version 14. */
import { plain } from '../../table.ts'
import type { RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'

/** A description may hold neither a new line nor a mark that begins a directive. */
const described = (text: string): string =>
  plain(text).replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('#', '\\#')

/** Strings of JSON are strings of YAML. */
const row = (key: string, value: unknown): string => `  ${key}: ${JSON.stringify(value)}`

function lines(run: RunReport): readonly string[] {
  const { result, number, file, title, because = '' } = run
  const ok = result === 'failed' ? 'not ok' : 'ok'
  const skip = result === 'skipped' || result === 'stopped' ? ` # SKIP ${described(because)}` : ''
  const head = `${ok} ${number} - ${described(`${file}: ${title}`)}${skip}`
  if (result !== 'failed') return [head]
  const [first] = run.failures
  return [
    head,
    '  ---',
    row('message', run.failures.map((each) => failureText(each, file)).join('\n\n')),
    row('severity', 'fail'),
    ...(first?.place ? [row('at', { file, ...first.place })] : []),
    row('seed', run.seed),
    row('again', run.again),
    '  ...',
  ]
}

export const tap = defineReporter({
  name: 'tap',
  summary: 'for readers of the Test Anything Protocol',
  form: 'document',
  begin: () => 'TAP version 14\n',
  ended: (run) => `${lines(run).join('\n')}\n`,
  finish: ({ runs, halted }) =>
    `${halted === undefined ? '' : `Bail out! ${described(halted)}\n`}1..${runs.length}\n`,
})
