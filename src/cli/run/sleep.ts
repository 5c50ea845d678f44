/** Waits so long on the machine's clock, or until it is called off. */
export const sleep = (ms: number, enough: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (enough.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      enough.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
    enough.addEventListener('abort', done, { once: true })
  })
