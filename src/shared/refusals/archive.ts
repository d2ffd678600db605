/** Refusals about archives of accounts. */
export const ARCHIVE_REFUSALS = {
  ARCHIVE_TYPE_UNSUPPORTED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Please select the zip file of an exported account',
  },
  ARCHIVE_ACCOUNT_USED: {
    code: 'CONFLICT',
    message:
      'An archive can only be imported into an account that has no customers or contracts, not even in the trash',
  },
  ARCHIVE_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'This archive is too large. It can have up to {rows} rows, and its data files up to {size} unpacked',
  },
  ARCHIVE_FILE_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The archive is larger than 6 GB' },
  ARCHIVE_UNREADABLE: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This file cannot be read as a zip archive. It may be incomplete: export the account again',
  },
  ARCHIVE_INCOMPLETE: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This is not the archive of an account, or it is incomplete: {file} is missing',
  },
  ARCHIVE_OF_OTHER_VERSION: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This archive was made by another version of TRAXX. Export the account again and import that archive',
  },
  ARCHIVE_DAMAGED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: '{file} in this archive is damaged. Export the account again',
  },
  ARCHIVE_ROW_INVALID: {
    code: 'UNPROCESSABLE_CONTENT',
    message: '{file} in this archive has a mistake in row {row}: {problem}',
  },
  ARCHIVE_FILE_INVALID: {
    code: 'UNPROCESSABLE_CONTENT',
    message: '{file} in this archive cannot be imported: {problem}',
  },
  ARCHIVE_CONTRADICTS_ITSELF: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'Some rows of this archive contradict each other, so nothing was imported. Export the account again',
  },
  ARCHIVE_BUSY: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Other archives are being imported. Please try again in a few minutes',
  },
  ARCHIVE_TOO_SLOW: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'Storing the PDFs took too long, so nothing was imported. Please try again later',
  },
} as const
