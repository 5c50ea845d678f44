/** Names, types and help of the metrics of a session. Labels are bounded: roles, operations, codes, statuses, rules. */
import type { SessionInfo } from '../../session-api/session-api.ts'
import type { SessionMetrics } from '../../session-api/session-metrics.ts'
import {
  histogramSamples,
  type MetricFamily,
  type MetricSample,
  singleMetric,
} from './exposition.ts'

const milliseconds = (ms: number): number => ms / 1000

const counted = <Row extends { readonly count: number }>(
  rows: readonly Row[],
  labelsOf: (row: Row) => Readonly<Record<string, string>>,
): readonly MetricSample[] => rows.map((row) => ({ labels: labelsOf(row), value: row.count }))

/** One sample for each member, by its name. */
const levels = (label: string, values: Readonly<Record<string, number>>): readonly MetricSample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))

const counter = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  type: 'counter',
  help,
  samples,
})

const gauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  type: 'gauge',
  help,
  samples,
})

function trafficFamilies(metrics: SessionMetrics): readonly MetricFamily[] {
  const { exchanges, failures, answerTimes, callsInFlight } = metrics
  const bounds = answerTimes.boundsMs.map(milliseconds)
  return [
    counter(
      'sparring_exchanges_total',
      'Exchanges by caller, receiver, operation and class of the status; none without a whole reply.',
      counted(exchanges, ({ from, to, operation, status }) => ({ from, to, operation, status })),
    ),
    counter(
      'sparring_exchange_failures_total',
      'Failed exchanges by code: that of the failure, or the status; injected by a fault or not.',
      counted(failures, ({ from, to, code, injected }) => ({
        from,
        to,
        code,
        injected: String(injected),
      })),
    ),
    {
      name: 'sparring_answer_duration_seconds',
      type: 'histogram',
      help: 'How long your service took to answer our calls, in seconds of the wall clock; without those that a fault distorted.',
      samples: answerTimes.byOperation.flatMap(({ operation, counts, sumMs }) =>
        histogramSamples({ operation }, bounds, counts, milliseconds(sumMs)),
      ),
    },
    singleMetric(
      'sparring_calls_in_flight',
      'gauge',
      'Calls of ours that are not answered yet.',
      callsInFlight,
    ),
  ]
}

function worldFamilies(metrics: SessionMetrics): readonly MetricFamily[] {
  const { due, later, held, loops } = metrics.agenda
  return [
    gauge(
      'sparring_agenda_items',
      'Items of the agenda that are due, due later, or held.',
      levels('state', { due, later, held }),
    ),
    singleMetric(
      'sparring_agenda_loops',
      'gauge',
      'Items of the agenda that repeat for ever, such as polls; they are among those due and due later.',
      loops,
    ),
    gauge(
      'sparring_events_waiting',
      'Events that are not handed over yet: those that polls have not acknowledged, and webhooks that wait for their receiver.',
      levels('channel', metrics.eventsWaiting),
    ),
    gauge(
      'sparring_orders',
      'Orders in memory by status.',
      counted(metrics.orders, ({ status }) => ({ status })),
    ),
  ]
}

function ruleFamilies({ rules }: SessionMetrics): readonly MetricFamily[] {
  const outcomes: Record<string, number> = {}
  for (const { outcome } of rules) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  return [
    gauge(
      'sparring_rules',
      'Rules that your service is judged by, by their outcome so far.',
      levels('outcome', outcomes),
    ),
    gauge(
      'sparring_rule_failed',
      'Whether your service breaks a rule: 1 or 0 by the id of the rule.',
      rules.map(({ rule, outcome }) => ({
        labels: { rule },
        value: outcome === 'failed' ? 1 : 0,
      })),
    ),
  ]
}

function spanFamilies({ spans }: SessionMetrics): readonly MetricFamily[] {
  if (!spans) return []
  const { exported, dropped } = spans
  return [
    counter(
      'sparring_spans_total',
      'Spans of exchanges that the collector took, and those that were dropped.',
      levels('outcome', { exported, dropped }),
    ),
  ]
}

/** The metrics of a session. */
export const sessionMetricFamilies = (
  { version, subject, clock }: Pick<SessionInfo, 'version' | 'subject' | 'clock'>,
  metrics: SessionMetrics,
): readonly MetricFamily[] => [
  gauge('sparring_build_info', 'Always 1: the versions of Sparring and Node are its labels.', [
    { labels: { version, node: process.versions.node }, value: 1 },
  ]),
  gauge(
    'sparring_session_info',
    'Always 1: the clock and the role of your service are its labels.',
    [{ labels: { clock: clock.mode, subject: subject?.role ?? 'none' }, value: 1 }],
  ),
  singleMetric(
    'sparring_resets_total',
    'counter',
    'Fresh worlds by a reset or a fork; counters go on through them, levels are of the new world.',
    metrics.resets,
  ),
  ...trafficFamilies(metrics),
  ...worldFamilies(metrics),
  counter(
    'sparring_faults_fired_total',
    'Messages and plans that faults distorted, by the name of the fault.',
    counted(metrics.faultsFired, ({ fault }) => ({ fault })),
  ),
  singleMetric('sparring_faults_active', 'gauge', 'Active faults.', metrics.activeFaults),
  ...ruleFamilies(metrics),
  ...spanFamilies(metrics),
]
