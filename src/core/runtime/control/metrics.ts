/** The route of the control API that Prometheus scrapes: the metrics of the session and of the process. */
import { expositionText, expositionType } from '../metrics/exposition.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import { sessionMetricFamilies } from '../metrics/session-metric-families.ts'
import { errorAnswer } from './answer.ts'
import { defineRoute, getRoute } from './route.ts'

export const metricsRoute = defineRoute({
  ...getRoute('getMetrics', '/metrics'),
  summary:
    'Counts, levels and latencies for monitoring, as Prometheus text: exchanges, failures, orders, agenda, faults, rules, memory',
  success: { status: 200, what: 'metrics in the Prometheus text format 0.0.4', type: 'text/plain' },
  refuses: ['UNAVAILABLE'],
  async answer(session) {
    const { info, metrics } = await session.look({ metrics: true })
    if (!metrics) return errorAnswer('UNAVAILABLE', 'this session counts nothing')
    const text = expositionText([...sessionMetricFamilies(info, metrics), ...processMetrics()])
    return { status: 200, text, headers: { 'content-type': expositionType } }
  },
})
