/** Prints metrics in the text format of Prometheus, version 0.0.4. */

/** One value of a metric, with its labels. */
export interface MetricSample {
  /** What follows the name of the family: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** All values of one metric. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One sentence. */
  readonly help: string
  readonly samples: readonly MetricSample[]
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', '\\"')

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

function labelsText(labels: MetricSample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** The text of metrics, with a line feed at its end; a family without samples is announced all the same. */
export const expositionText = (families: readonly MetricFamily[]): string =>
  families
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${escapedHelp(help)}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map(
        ({ suffix = '', labels, value }) =>
          `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
      ),
    ])
    .join('')

/** A family with one value and no labels. */
export const singleMetric = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number,
): MetricFamily => ({ name, type, help, samples: [{ value }] })

/**
 * The samples of one histogram: cumulative buckets, sum and count.
 * @param bounds upper bounds of the buckets but the last, ascending, in the unit of the metric
 * @param counts observations in each bucket, not cumulative; one more than bounds
 */
export function histogramSamples(
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
): readonly MetricSample[] {
  let total = 0
  const buckets = [...bounds, Infinity].map((bound, index): MetricSample => {
    total += counts[index] ?? 0
    return { suffix: '_bucket', labels: { ...labels, le: numberText(bound) }, value: total }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: total },
  ]
}
