/** Long work a few milliseconds at a time: whoever waits for a key or a socket goes first. */

/** So long at a time. */
const sliceMs = 4

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Asked after every piece of the work: undefined while there is time, else what to wait for. */
export function createSlices(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return turn().then(() => {
      began = performance.now()
    })
  }
}
