/** Markdown for a pull request or a wiki: the counts of each area, and every clause that is not passed. */
import type { CheckOutcome } from '../../judge/judge-checks.ts'
import { countOutcomes, resultsByArea } from '../../report/report.ts'
import { defineCertifyReporter } from './reporter.ts'
import { resultLines } from './result-lines.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')

const titles: Readonly<Record<Exclude<CheckOutcome, 'passed'>, string>> = {
  failed: 'Failed',
  warning: 'Warnings',
  attestation: 'To be attested by a person',
  skipped: 'Skipped',
}

export const certifyMarkdown = defineCertifyReporter({
  name: 'markdown',
  summary: 'for a pull request or a wiki',
  form: 'document',
  finish({ report, exchanges }) {
    const { results, role, service, startedAt, product, leftovers, halted } = report
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
    return `${lines.join('\n')}\n`
  },
})
