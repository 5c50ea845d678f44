/** Library API for certification: certifies a service against every clause that binds its role. */
import type { CertificationReport } from '../report/report.ts'
import type { CertifyOptions } from './certify-options.ts'

/**
 * Certifies your service: carries out procedures against it, and judges the traffic by clause. A service in this process
 * is certified on the virtual clock, without sockets.
 *
 * @example
 * const report = await certify({ as: 'crm', subject: app.fetch, request: { clauses: ['CUS'] } })
 * expect(report.counts.failed).toBe(0)
 * @throws Problem when the options are invalid.
 */
export async function certify(options: CertifyOptions): Promise<CertificationReport> {
  // Loaded with the first certification: most users of the library run none.
  const { certifyService } = await import('./certify-service.ts')
  return certifyService(options)
}
