/** How far it is: a line that is written over on a terminal, with a rate and an estimate; a line now and then elsewhere. */
import { isCi, type Io } from '../io.ts'

export interface Progress {
  readonly began: (title: string) => void
  readonly step: (text: string) => void
  readonly ended: () => void
  /** Takes its line away, so that somebody else can write. */
  readonly clear: () => void
}

const everyMs = 5000
const redrawMs = 100

const short = (seconds: number): string =>
  seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.max(1, Math.round(seconds))} s`

export function createProgress(total: number, io: Io, quiet: boolean): Progress {
  const start = performance.now()
  const onTerminal = io.isTTY && !isCi(io.env)
  let done = 0
  let title = ''
  let said = start
  let drawn = 0
  let shown = false

  function state(): string {
    const passed = (performance.now() - start) / 1000
    if (done === 0) return `${done + 1}/${total}`
    const rate = done / passed
    const pace = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
    return `${Math.min(done + 1, total)}/${total}  ${pace}  about ${short((total - done) / rate)} left`
  }

  function clear(): void {
    if (!shown) return
    shown = false
    io.stderr.write('\r\u001b[K')
  }

  function show(text: string): void {
    if (quiet) return
    const now = performance.now()
    if (onTerminal) {
      if (shown && now - drawn < redrawMs) return
      drawn = now
      shown = true
      const line = `${state()}  ${title}: ${text}`.slice(0, io.columns - 1)
      io.stderr.write(`\r\u001b[K${line}`)
    } else if (now - said >= everyMs) {
      said = now
      io.stderr.write(`${state()}  ${title}: ${text}\n`)
    }
  }

  return {
    began(name) {
      title = name
      show('begins')
    },
    step: show,
    ended() {
      done++
    },
    clear,
  }
}
