/** Test Anything Protocol, version 14. */
import { escapeControls } from '../../../../core/traffic/escape-controls.ts'
import {
  isUndecided,
  type RunReport,
  type RunReporter,
  unexercisedCountText,
  unexercisedTexts,
} from '../report.ts'
import { failureText } from './pretty.ts'

/** A description may contain neither a newline nor `#`, which begins a directive. */
const escapeDescription = (text: string): string =>
  escapeControls(text).replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('#', '\\#')

/** A row of the YAML block; JSON is valid YAML. */
const row = (key: string, value: unknown): string => `  ${key}: ${JSON.stringify(value)}`

function lines(run: RunReport): readonly string[] {
  const { result, number, file, title, because = '' } = run
  const ok = result === 'failed' ? 'not ok' : 'ok'
  const skip = isUndecided(run) ? ` # SKIP ${escapeDescription(because)}` : ''
  const head = `${ok} ${number} - ${escapeDescription(`${file}: ${title}`)}${skip}`
  const notes = unexercisedTexts(run).map((text) => `# ${escapeDescription(text)}`)
  if (result !== 'failed') return [head, ...notes]
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
    ...notes,
  ]
}

export const runTapReporter: RunReporter = {
  name: 'tap',
  summary: 'for readers of the Test Anything Protocol',
  form: 'document',
  begin: () => 'TAP version 14\n',
  ended: (run) => `${lines(run).join('\n')}\n`,
  finish(report) {
    const { runs, halted } = report
    const unexercised = unexercisedCountText(report)
    return [
      ...(unexercised === undefined ? [] : [`# ${unexercised}`]),
      ...(halted === undefined ? [] : [`Bail out! ${escapeDescription(halted)}`]),
      `1..${runs.length}\n`,
    ].join('\n')
  },
}
