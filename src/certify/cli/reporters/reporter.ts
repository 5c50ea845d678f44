/** Interface of reporters of certifications: called as each procedure begins and ends, then with the whole report. */
import type { CertificationReport } from '../../report/report.ts'
import type { ProcedureProgress } from '../../judge/run-procedures.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { Reporter } from '../../../terminal/cli/reporters/reporter.ts'

/** A report with the exchanges that its results name, redacted. */
export interface ReportedCertification {
  readonly report: CertificationReport
  readonly exchanges: ReadonlyMap<number, Exchange>
  /** The step of a procedure's own exchanges, by their numbers. */
  readonly steps: Readonly<Record<number, string>>
}

export type CertifyReporter = Reporter<ProcedureProgress, ReportedCertification>

export const defineCertifyReporter = (reporter: CertifyReporter): CertifyReporter => reporter
