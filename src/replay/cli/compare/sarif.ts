/** SARIF 2.1.0 reporter: statuses and invariants are the rules, the recording is the location. */
import {
  toPascalCase,
  sarifDocument,
  type SarifRule,
  encodedFileUri,
} from '../../../terminal/cli/reporters/sarif-document.ts'
import type { ComparisonReport } from './comparison-report.ts'
import { exchangeHeading, isBehaviourDifference, isDeviation, deviationLines } from './wording.ts'
import { defineCompareReporter } from './reporter.ts'
import type { Standing } from '../../../core/traffic/recording/standing.ts'

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

const ruleOf = ([id, text]: readonly [string, string]): SarifRule => ({
  id,
  name: toPascalCase(id),
  shortDescription: { text },
})

export const comparisonSarif = defineCompareReporter({
  name: 'sarif',
  summary: 'for gatherers of findings: SARIF 2.1.0',
  form: 'document',
  finish(compared: ComparisonReport) {
    const { version, left, exchanges, replay, first } = compared
    const invariants = new Map((replay?.failedRules ?? []).map((each) => [each.invariant, each]))
    const rules = [
      ...Object.entries(sentences),
      ...Array.from(invariants.keys(), (id) => [id, id] as const),
    ].map(ruleOf)
    const ruleIndex = (id: string): number => rules.findIndex((each) => each.id === id)
    const place = (name: string) => ({
      physicalLocation: { artifactLocation: { uri: encodedFileUri(left) } },
      logicalLocations: [{ fullyQualifiedName: name }],
    })
    const found = exchanges.flatMap((each, index) => {
      if (!isDeviation(each)) return []
      const { standing, recorded, live } = each
      return [
        {
          ruleId: standing,
          ruleIndex: ruleIndex(standing),
          level: isBehaviourDifference(each) ? 'error' : 'warning',
          message: { text: [exchangeHeading(each), ...deviationLines(each)].join('\n') },
          locations: [place(recorded?.recordId ?? `live ${live?.seq ?? 0}`)],
          properties: { first: index === first },
        },
      ]
    })
    const failedRules = (replay?.failedRules ?? []).map(({ invariant, because, orderId = '' }) => ({
      ruleId: invariant,
      ruleIndex: ruleIndex(invariant),
      level: 'error',
      message: { text: because },
      locations: [place(orderId)],
    }))
    return sarifDocument({
      version,
      rules,
      results: [...found, ...failedRules],
      isComplete: !replay?.interrupted,
      halted: undefined,
    })
  },
})
