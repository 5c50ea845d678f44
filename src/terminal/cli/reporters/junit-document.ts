/** The JUnit XML document of any report: suites of cases with their problems. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Control characters and lone surrogates: forbidden in XML even when escaped. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Surrogate}/gu

/** Escapes text for XML, without the characters that XML forbids. */
export const xmlText = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (each) => entities[each] ?? each)

/** ` name="value"` for each. */
const xmlAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('')

interface JunitProblem {
  readonly kind: 'failure' | 'error' | 'skipped'
  readonly message: string
  readonly type?: string
  readonly text?: string
}

export interface JunitCase {
  readonly name: string
  readonly classname: string
  readonly file?: string
  readonly tookMs?: number
  readonly problems: readonly JunitProblem[]
  /** What it printed. */
  readonly output?: string
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

const timeOf = (cases: readonly JunitCase[]) =>
  cases.some(({ tookMs }) => tookMs !== undefined)
    ? { time: seconds(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)) }
    : {}

/** Each case counts once, by the worst of its problems. */
function countsOf(cases: readonly JunitCase[]) {
  const worst = cases.map(({ problems }) =>
    (['failure', 'error', 'skipped'] as const).find((kind) =>
      problems.some((each) => each.kind === kind),
    ),
  )
  const count = (kind: JunitProblem['kind']): number => worst.filter((each) => each === kind).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    ...timeOf(cases),
  }
}

function problemLine({ kind, message, text, ...rest }: JunitProblem): string {
  const head = `      <${kind}${xmlAttributes({ message, ...rest })}`
  return text === undefined ? `${head}/>` : `${head}>${xmlText(text)}</${kind}>`
}

function caseLines({ problems, output, tookMs, ...names }: JunitCase): readonly string[] {
  const time = tookMs === undefined ? {} : { time: seconds(tookMs) }
  const head = `    <testcase${xmlAttributes({ ...names, ...time })}`
  const inside = [
    ...problems.map(problemLine),
    ...(output === undefined ? [] : [`      <system-out>${xmlText(output)}</system-out>`]),
  ]
  return inside.length === 0 ? [`${head}/>`] : [`${head}>`, ...inside, '    </testcase>']
}

/** A halt is a test case with an error: otherwise CI would see only what passed before it. */
export const haltSuite = (name: string, halted: string): JunitSuite => ({
  name: 'sparring',
  cases: [{ name, classname: 'sparring', problems: [{ kind: 'error', message: halted }] }],
})

export function junitDocument(suites: readonly JunitSuite[]): string {
  const all = countsOf(suites.flatMap(({ cases }) => cases))
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name: 'sparring', ...all })}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite${xmlAttributes({ name, ...countsOf(cases) })}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}
