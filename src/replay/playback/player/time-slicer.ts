/** Time slicing for long work: yields to the event loop, so that keys and sockets are served first. */

/** Length of a slice. */
const sliceMs = 4

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Called after every step of the work: undefined while the slice lasts, else a promise to await. */
export function createTimeSlicer(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return nextTurn().then(() => {
      began = performance.now()
    })
  }
}
