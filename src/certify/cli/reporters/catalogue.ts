/** Every reporter of `sparring certify`. */
import { jsonDocument } from '../../../terminal/cli/reporters/findings.ts'
import { htmlReport } from '../../report/html.ts'
import { isCertified } from '../../report/report.ts'
import { certifyFindingReporters, certifyGithub } from './findings.ts'
import { certifyMarkdown, certifyMigration } from './markdown.ts'
import { certifyPretty } from './pretty.ts'
import type { CertifyReporter } from './result-lines.ts'

const { junit, sarif } = certifyFindingReporters

export const certifyReporters: readonly CertifyReporter[] = [
  certifyPretty,
  {
    name: 'json',
    summary: 'for programs: the report as one document',
    form: 'document',
    // Its members are those of `CertificationReport`.
    finish: ({ report }) =>
      jsonDocument({ ok: isCertified(report) && report.halted === undefined, ...report }),
  },
  {
    name: 'html',
    summary: 'one page with matrix, filters, exchanges and timelines',
    form: 'document',
    finish: htmlReport,
  },
  certifyMarkdown,
  certifyMigration,
  junit,
  sarif,
  certifyGithub,
]
