/** The report as one JSON document; its members are those of `CertificationReport`. */
import { isCertified } from '../../report/report.ts'
import { defineCertifyReporter } from './reporter.ts'

export const certifyJson = defineCertifyReporter({
  name: 'json',
  summary: 'for programs: the report as one document',
  form: 'document',
  finish: ({ report }) =>
    `${JSON.stringify({ ok: isCertified(report) && report.halted === undefined, ...report }, null, 2)}\n`,
})
