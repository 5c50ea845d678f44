/**
 * The findings of a report, described once for its verb, and the reporters that format them: JUnit XML for CI, SARIF 2.1.0 for
 * code scanning, annotations for GitHub Actions.
 */
import { type Clauses, clausesOf, clauseWithPlace } from '../../../core/protocol/clause.ts'
import type { Invariant } from '../../../core/rules/invariants/invariant.ts'
import { haltSuite, junitDocument, type JunitSuite } from './junit-document.ts'
import type { Reporter } from './reporter.ts'

export interface FindingRule {
  readonly id: string
  readonly name: string
  readonly shortDescription: { readonly text: string }
  /** What to do when it fails, and what its clauses say. */
  readonly help?: { readonly text: string }
  readonly properties?: { readonly tags: readonly string[]; readonly kind: string }
}

/** By the format a result that is no failure has the level `none`. */
const levels = {
  error: { level: 'error' },
  warning: { level: 'warning' },
  note: { level: 'note' },
  review: { kind: 'review', level: 'none' },
} as const

/** Its optional members are those of a result of SARIF. */
export interface ReportFinding {
  /** The id of a rule of the report. */
  readonly rule: string
  /** `review`: it is in doubt, and no failure. */
  readonly level: keyof typeof levels
  readonly text: string
  readonly locations?: readonly object[]
  readonly partialFingerprints?: Readonly<Record<string, string>>
  readonly properties?: Readonly<Record<string, unknown>>
}

/** How the work that is reported ended. */
interface ReportEnd {
  readonly version: string
  /** Why it ended early. */
  readonly halted?: string | undefined
  readonly interrupted?: boolean | undefined
}

/** What the report of a verb says to programs. */
export interface ReportFindings<Whole> {
  readonly summaries: Readonly<Record<'junit' | 'sarif', string>>
  readonly endOf: (report: Whole) => ReportEnd
  /** What did not happen when it ended early: `the campaign ran to its end`. */
  readonly expectedEnd: string
  readonly suitesOf: (report: Whole) => readonly JunitSuite[]
  readonly rulesOf: (report: Whole) => readonly FindingRule[]
  readonly findingsOf: (report: Whole) => readonly ReportFinding[]
  /** Results name their rule by its id alone, not by its index too. */
  readonly isWithoutRuleIndex?: true
}

export interface GithubAnnotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly text: string
  readonly file?: string | undefined
  readonly place?: { readonly line: number; readonly column: number } | undefined
}

/** Annotations of GitHub Actions: of one part as it ends, and of the whole report. */
export interface ReportAnnotations<Part, Whole> extends Pick<ReportFindings<Whole>, 'endOf'> {
  readonly summary: string
  readonly ofPart?: (part: Part) => readonly GithubAnnotation[]
  readonly ofReport?: (report: Whole) => readonly GithubAnnotation[]
}

export const toPascalCase = (name: string): string =>
  name.replace(/(^|-)([a-z0-9])/g, (_, _dash, character: string) => character.toUpperCase())

/** An invariant as a rule, with what its clauses say where they are known. */
export const invariantFindingRule = (
  {
    id,
    name,
    sentence,
    remedy,
    clauses: ids,
    kind,
  }: Pick<Invariant, 'id' | 'name' | 'sentence' | 'remedy' | 'clauses' | 'kind'>,
  clauses: Clauses = new Map(),
): FindingRule => {
  const clauseTexts = clausesOf(ids, clauses).map((each) => `${each.id}: ${clauseWithPlace(each)}`)
  return {
    id,
    name: toPascalCase(name),
    shortDescription: { text: sentence },
    help: { text: [remedy, ...clauseTexts].join('\n') },
    properties: { tags: ids, kind },
  }
}

/** A file as a location, at a line where one is known. */
export function fileLocation(
  file: string,
  place?: { readonly line: number; readonly column: number },
) {
  const region = place ? { region: { startLine: place.line, startColumn: place.column } } : {}
  const uri = encodeURI(file.replaceAll('\\', '/'))
  return { physicalLocation: { artifactLocation: { uri }, ...region } }
}

export const namedLocation = (name: string) => ({
  logicalLocations: [{ fullyQualifiedName: name }],
})

/** The SARIF document of one tool run. */
function sarifDocument<Whole>(verb: ReportFindings<Whole>, report: Whole): string {
  const { version, halted, interrupted } = verb.endOf(report)
  const rules = verb.rulesOf(report)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const results = verb.findingsOf(report).map(({ rule, level, text, ...members }) => ({
    ruleId: rule,
    ...(verb.isWithoutRuleIndex ? {} : { ruleIndex: indexes.get(rule) ?? -1 }),
    ...levels[level],
    message: { text },
    ...members,
  }))
  const notifications =
    halted === undefined
      ? {}
      : { toolExecutionNotifications: [{ level: 'error', message: { text: halted } }] }
  // Behind the number stands the commit, which is no part of a semantic version.
  const semanticVersion = version.replace(/ .*/, '')
  return jsonDocument({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'sparring', version, semanticVersion, rules } },
        invocations: [
          { executionSuccessful: halted === undefined && !interrupted, ...notifications },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  })
}

export const jsonDocument = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The reporters of a verb that programs read; why it ended early is in both. */
export function findingReporters<Whole>(verb: ReportFindings<Whole>) {
  const { summaries, endOf, expectedEnd, suitesOf } = verb
  const documentReporter = (name: 'junit' | 'sarif', finish: (report: Whole) => string) =>
    ({ name, summary: summaries[name], form: 'document', finish }) as const
  return {
    junit: documentReporter('junit', (report) => {
      const { halted } = endOf(report)
      const halt = halted === undefined ? [] : [haltSuite(expectedEnd, halted)]
      return junitDocument([...suitesOf(report), ...halt])
    }),
    sarif: documentReporter('sarif', (report) => sarifDocument(verb, report)),
  }
}

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string =>
  message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** The line of one annotation, ended. */
function githubAnnotation({ level, title, text, file, place }: GithubAnnotation): string {
  const parts = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(place ? [`line=${place.line}`, `col=${place.column}`] : []),
    `title=${property(title)}`,
  ]
  return `::${level} ${parts.join(',')}::${message(text)}\n`
}

export const annotationReporter = <Part, Whole>({
  summary,
  endOf,
  ofPart,
  ofReport,
}: ReportAnnotations<Part, Whole>): Reporter<Part, Whole> => ({
  name: 'github',
  hasCiCommands: true,
  summary,
  form: 'lines',
  ended: (part) => (ofPart?.(part) ?? []).map(githubAnnotation).join(''),
  finish(report) {
    const { halted } = endOf(report)
    const halt: readonly GithubAnnotation[] =
      halted === undefined ? [] : [{ level: 'error', title: 'sparring', text: halted }]
    return [...(ofReport?.(report) ?? []), ...halt].map(githubAnnotation).join('')
  },
})
