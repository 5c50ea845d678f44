/** What stands before a line of a curl transcript: the time of day (`--trace-time`) and the transfer (`--trace-ids`). */

export const tracePrefix = /^(?:(\d\d:\d\d:\d\d\.\d{1,9}) )?(?:\[(?:\d+|x)-(?:\d+|x)\] )?/

/** In ms, whole microseconds. */
export function timeOfDayMs(text: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):([\d.]+)$/.exec(text ?? '') ?? []
  if (seconds === undefined) return undefined
  const micros = Math.round(Number(seconds) * 1_000_000)
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + micros / 1000
}
