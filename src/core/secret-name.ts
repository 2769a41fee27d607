// Which names of headers, fields and parameters stand for a credential: one list for everything that keeps, logs or sends on what others named.

const secretName = /key|token|secret|auth|cookie|password|passwd|credential|signature/i;

/** Whether a value of this name had better not be shown. Errs towards yes: whoever asks knows the harmless names of its own place. */
export function soundsSecret(name: string): boolean {
  return secretName.test(name);
}
