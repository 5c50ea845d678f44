/**
 * A strict reader of the Prometheus text format 0.0.4: it throws at everything that the format or its conventions
 * forbid.
 */
export interface PrometheusSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface PrometheusFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly PrometheusSample[]
}

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const numberToken = String.raw`[+-]Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?`
const helpLine = new RegExp(String.raw`^# HELP (${metricName}) ((?:[^\\\n]|\\\\|\\n)*)$`)
const typeLine = new RegExp(`^# TYPE (${metricName}) (counter|gauge|histogram)$`)
const sampleLine = new RegExp(String.raw`^(${metricName})(?:\{(.*)\})? (${numberToken})$`)
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/y

function numberOf(token: string): number {
  if (token === 'NaN') return NaN
  return token.endsWith('Inf') ? (token.startsWith('-') ? -Infinity : Infinity) : Number(token)
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let position = 0
  while (position < text.length) {
    labelPair.lastIndex = position
    const [whole, name = '', value = ''] = labelPair.exec(text) ?? []
    if (whole === undefined) throw new Error(`labels cannot be read: ${line}`)
    if (name in labels) throw new Error(`${name} stands twice: ${line}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
    position += whole.length
  }
  return labels
}

/** The part of a histogram that a sample is: one for each set of labels but `le`. */
function checkHistogram({ name, samples }: PrometheusFamily): void {
  const groups = new Map<string, PrometheusSample[]>()
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((each) => each.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => numberOf(labels['le'] ?? ''))
    if (bounds.some((bound, index) => !(bound > (bounds[index - 1] ?? -Infinity))))
      throw new Error(`the bounds of ${name} ${key} do not ascend: ${bounds.join(' ')}`)
    if (bounds.at(-1) !== Infinity) throw new Error(`${name} ${key} has no bucket +Inf`)
    const counts = buckets.map(({ value }) => value)
    if (counts.some((count, index) => count < (counts[index - 1] ?? 0)))
      throw new Error(`the buckets of ${name} ${key} are not cumulative: ${counts.join(' ')}`)
    const only = (suffix: string): number => {
      const found = group.filter((each) => each.name === `${name}${suffix}`)
      if (found.length !== 1) throw new Error(`${name} ${key} has ${found.length} ${suffix}`)
      return found[0]?.value ?? NaN
    }
    if (only('_count') !== counts.at(-1))
      throw new Error(`_count of ${name} ${key} is not its last bucket`)
    if (!(only('_sum') >= 0)) throw new Error(`_sum of ${name} ${key} is not a sum`)
  }
}

const suffixesOf = (type: string): readonly string[] =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']

/** The families of a text, by name. */
export function readPrometheusText(text: string): ReadonlyMap<string, PrometheusFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed')
  const families = new Map<string, PrometheusFamily & { samples: PrometheusSample[] }>()
  const seen = new Set<string>()
  let help: readonly [name: string, text: string] | undefined
  let current: (PrometheusFamily & { samples: PrometheusSample[] }) | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped, helpText = ''] = helpLine.exec(line) ?? []
    if (helped !== undefined) {
      if (helpText.trim() === '') throw new Error(`${helped} has an empty HELP`)
      help = [helped, helpText]
      continue
    }
    const [, name, type = ''] = typeLine.exec(line) ?? []
    if (name !== undefined) {
      if (help?.[0] !== name) throw new Error(`${name} has a TYPE without its HELP before it`)
      if (families.has(name)) throw new Error(`${name} is announced twice`)
      if (type === 'counter' && !name.endsWith('_total'))
        throw new Error(`the counter ${name} does not end in _total`)
      current = { name, type, help: help[1], samples: [] }
      families.set(name, current)
      continue
    }
    const [, sampleName = '', labelText = '', value] = sampleLine.exec(line) ?? []
    if (value === undefined) throw new Error(`not a line of the format: ${line}`)
    const owner = current
    if (!owner || !suffixesOf(owner.type).some((each) => sampleName === `${owner.name}${each}`))
      throw new Error(`a sample outside its family: ${line}`)
    const sample = {
      name: sampleName,
      labels: labelsOf(labelText, line),
      value: numberOf(value),
    }
    const identity = `${sampleName} ${JSON.stringify(Object.entries(sample.labels).toSorted(([a], [b]) => a.localeCompare(b)))}`
    if (seen.has(identity)) throw new Error(`a series stands twice: ${line}`)
    if (owner.type === 'counter' && !(sample.value >= 0))
      throw new Error(`a counter below 0: ${line}`)
    seen.add(identity)
    owner.samples.push(sample)
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}
