/** Import progress on stderr: a redrawn line on a terminal, a line every 5 s elsewhere. */
import { isCi, type Io } from '../io.ts'

export interface ImportProgress {
  readonly advance: (bytes: number, exchanges: number) => void
  /** Erases the progress line. */
  readonly clear: () => void
}

const intervalMs = 5000
const redrawMs = 100

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

export function createImportProgress(
  total: number | undefined,
  io: Pick<Io, 'stderr' | 'isTTY' | 'env'>,
): ImportProgress {
  const start = performance.now()
  const onTerminal = io.isTTY && !isCi(io.env)
  let done = 0
  let lastWrittenAt = start
  let isLineShown = false

  function line(exchanges: number): string {
    const seconds = Math.max(0.001, (performance.now() - start) / 1000)
    const rate = done / seconds
    const left =
      total === undefined ? '' : `, about ${Math.max(1, Math.round((total - done) / rate))} s left`
    const totalText = total === undefined ? '' : ` of ${megabytes(total)}`
    return `${megabytes(done)}${totalText}, ${exchanges} exchanges, ${megabytes(rate)}/s${left}`
  }

  function clear(): void {
    if (isLineShown) io.stderr.write('\r\u001b[K')
    isLineShown = false
  }

  return {
    advance(bytes, exchanges) {
      done += bytes
      const now = performance.now()
      if (now - lastWrittenAt < (onTerminal ? redrawMs : intervalMs)) return
      lastWrittenAt = now
      isLineShown = onTerminal
      io.stderr.write(onTerminal ? `\r\u001b[K${line(exchanges)}` : `${line(exchanges)}\n`)
    },
    clear,
  }
}
