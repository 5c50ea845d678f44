/** One self-contained HTML page, for people who were not there. */
import { htmlReport } from '../../report/html.ts'
import { defineCertifyReporter } from './reporter.ts'

export const certifyHtml = defineCertifyReporter({
  name: 'html',
  summary: 'one page with matrix, filters, exchanges and timelines',
  form: 'document',
  finish: htmlReport,
})
