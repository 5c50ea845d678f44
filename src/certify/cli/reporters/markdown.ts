/** Markdown: the counts of each area and every clause that is not passed, and the checklist of a migration. */
import type { MigrationState } from '../../procedures/migration/steps.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { CheckOutcome } from '../../judge/judge-checks.ts'
import {
  countOutcomes,
  outcomeCountsText,
  resultsByArea,
  verdictText,
} from '../../report/report.ts'
import { type CertifyReporter, resultLines } from './result-lines.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')

const titles: Readonly<Record<Exclude<CheckOutcome, 'passed'>, string>> = {
  failed: 'Failed',
  warning: 'Warnings',
  attestation: 'To be attested by a person',
  skipped: 'Skipped',
}

export const certifyMarkdown: CertifyReporter = {
  name: 'markdown',
  summary: 'for a pull request or a wiki',
  form: 'document',
  finish({ report, exchanges }) {
    const { results, role, service, startedAt, product, leftovers, halted, contracts = [] } = report
    const outcomes: readonly CheckOutcome[] = [
      'passed',
      'failed',
      'warning',
      'skipped',
      'attestation',
    ]
    const lines = [
      `# Certification of ${service} as ${role}`,
      '',
      `**${verdictText(report)}**: ${outcomeCountsText(report.counts)}`,
      '',
      `${startedAt}, sparring ${product.version}${halted === undefined ? '' : `, ended before its time: ${halted}`}`,
      '',
      `| area | ${outcomes.join(' | ')} |`,
      `| --- | ${outcomes.map(() => '---:').join(' | ')} |`,
      ...Array.from(resultsByArea(results), ([area, ofArea]) => {
        const counts = countOutcomes(ofArea)
        return `| ${area} | ${outcomes.map((each) => counts[each]).join(' | ')} |`
      }),
    ]
    for (const [outcome, title] of Object.entries(titles)) {
      const ofOutcome = results.filter((each) => each.outcome === outcome)
      if (ofOutcome.length === 0) continue
      lines.push('', `## ${title}`, '')
      if (outcome === 'failed' || outcome === 'warning')
        for (const result of ofOutcome)
          lines.push(
            `- **${result.clauses.join(', ')}** (${result.level})`,
            ...resultLines(result, exchanges).map((line) => `  ${line.trim()}  `),
          )
      else
        lines.push(
          '| clause | says | why |',
          '| --- | --- | --- |',
          ...ofOutcome.map(
            ({ clause, says, why = '' }) => `| ${clause} | ${cell(says)} | ${cell(why)} |`,
          ),
        )
    }
    if (leftovers.length > 0)
      lines.push('', '## Stays at the service', '', ...leftovers.map((each) => `- ${each}`))
    const files = contracts.flatMap((each) => each.files)
    if (files.length > 0)
      lines.push(
        '',
        '## Contracts',
        '',
        ...files.map(({ name, sha256 }) => `- \`${name}\`, SHA-256 ${sha256}`),
      )
    return `${lines.join('\n')}\n`
  },
}

const boxes: Readonly<Record<MigrationState, string>> = {
  done: '[x]',
  'to do': '[ ]',
  'not seen': '[ ]',
  'not declared': '[ ]',
}

/** What is left to do for V2, as a checklist, in the order in which the documents recommend to migrate. */
export const certifyMigration: CertifyReporter = {
  name: 'migration',
  summary: 'what is left to do for V2, step by step',
  form: 'document',
  finish({ report }) {
    const { role, service, speaks, startedAt, product, migration, results } = report
    const byClause = new Map(results.map((result) => [result.clause, result]))
    const lines = [
      `# Left to do for V2: ${service} as ${role}`,
      '',
      `Met in ${speaks === 'v1' ? 'V1' : 'V2'}, ${startedAt}, sparring ${product.version}`,
      '',
    ]
    for (const [index, { name, about, state, left, kept, unseen }] of migration.entries()) {
      const counts = [
        ...(left.length > 0 ? [`${left.length} to do`] : []),
        ...(kept > 0 ? [`${kept} done`] : []),
        ...(unseen > 0 ? [`${pluralise(unseen, 'clause')} not seen`] : []),
      ]
      lines.push(
        `- ${boxes[state]} **${index + 1} ${name}** (${about}): ${state === 'not declared' ? state : counts.join(', ') || 'not seen'}`,
      )
      for (const clause of left) {
        const result = byClause.get(clause)
        if (!result) continue
        const { clauses, problems, remedy = '' } = result
        lines.push(
          `  - [ ] ${clauses.join(', ')}: ${problems.map(({ text }) => text).join('; ')}`,
          `        ${remedy}`,
        )
      }
    }
    return `${lines.join('\n')}\n`
  },
}
