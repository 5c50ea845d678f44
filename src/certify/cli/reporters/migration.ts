/** What is left to do for V2, as a checklist in Markdown, in the order in which the documents recommend to migrate. */
import type { MigrationState } from '../../checks/migration/steps.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { defineCertifyReporter } from './reporter.ts'

const boxes: Readonly<Record<MigrationState, string>> = {
  done: '[x]',
  'to do': '[ ]',
  'not seen': '[ ]',
}

export const certifyMigration = defineCertifyReporter({
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
        `- ${boxes[state]} **${index + 1} ${name}** (${about}): ${counts.join(', ') || 'not seen'}`,
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
})
