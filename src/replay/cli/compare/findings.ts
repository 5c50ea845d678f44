/** The findings of a comparison: exchanges that deviate and rules that failed; the recording is their location. */
import {
  fileLocation,
  type ReportFinding,
  findingReporters,
  namedLocation,
  toPascalCase,
} from '../../../terminal/cli/reporters/findings.ts'
import type { JunitCase } from '../../../terminal/cli/reporters/junit-document.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import type { Standing } from '../../../core/traffic/recording/standing.ts'
import type { ComparisonReport } from './comparison-report.ts'
import { deviationLines, exchangeHeading, isBehaviourDifference, isDeviation } from './wording.ts'

function caseOf(compared: ReplayedExchange, file: string): JunitCase {
  const { recorded, live, standing } = compared
  const { operation = 'unknown' } = recorded ?? live ?? {}
  const text = deviationLines(compared).join('\n')
  const problem = {
    kind: isBehaviourDifference(compared) ? 'failure' : 'error',
    message: text.split('\n', 1)[0] ?? '',
    type: standing,
    text,
  } as const
  return {
    name: exchangeHeading(compared),
    classname: operation,
    file,
    problems: isDeviation(compared) ? [problem] : [],
  }
}

const failedRulesOf = ({ replay }: ComparisonReport) => replay?.failedRules ?? []

const sentences: Readonly<Record<Exclude<Standing, 'same' | 'noise' | 'gone'>, string>> = {
  late: 'What was recorded happens, and not much later.',
  changed: 'An exchange says what the recorded one says.',
  identity: 'What had one name has one name.',
  missing: 'What was recorded happens.',
  extra: 'Nothing happens that was not recorded.',
  blocked: 'What an exchange comes of happens.',
  unresolved: 'What an exchange names is known.',
  auth: 'We are let in.',
  error: 'There is an answer.',
}

function findingsOf(compared: ComparisonReport): readonly ReportFinding[] {
  const { left, exchanges, first } = compared
  const locationsOf = (name: string) => [{ ...fileLocation(left), ...namedLocation(name) }]
  const deviations = exchanges.flatMap((each, index): readonly ReportFinding[] => {
    if (!isDeviation(each)) return []
    const { standing, recorded, live } = each
    return [
      {
        rule: standing,
        level: isBehaviourDifference(each) ? 'error' : 'warning',
        text: [exchangeHeading(each), ...deviationLines(each)].join('\n'),
        locations: locationsOf(recorded?.recordId ?? `live ${live?.seq ?? 0}`),
        properties: { first: index === first },
      },
    ]
  })
  const failedRules = failedRulesOf(compared).map(
    ({ invariant, because, orderId = '' }): ReportFinding => ({
      rule: invariant,
      level: 'error',
      text: because,
      locations: locationsOf(orderId),
    }),
  )
  return [...deviations, ...failedRules]
}

export const comparisonFindingReporters = findingReporters<ComparisonReport>({
  summaries: {
    junit: 'for machines that build: JUnit XML',
    sarif: 'for gatherers of findings: SARIF 2.1.0',
  },
  endOf: ({ version, replay }) => ({ version, interrupted: replay?.interrupted }),
  expectedEnd: 'the comparison ran to its end',
  suitesOf(compared) {
    const { exchanges, left, right } = compared
    const failedRules = failedRulesOf(compared).map(({ invariant, because }): JunitCase => ({
      name: invariant,
      classname: 'invariants',
      file: left,
      problems: [{ kind: 'failure', message: because, type: invariant }],
    }))
    const cases = [...exchanges.map((each) => caseOf(each, left)), ...failedRules]
    return [{ name: `${left} | ${right}`, cases }]
  },
  rulesOf(compared) {
    const ids = new Set(failedRulesOf(compared).map(({ invariant }) => invariant))
    const texts = [...Object.entries(sentences), ...Array.from(ids, (id) => [id, id] as const)]
    return texts.map(([id, text]) => ({
      id,
      name: toPascalCase(id),
      shortDescription: { text },
    }))
  },
  findingsOf,
})
