/** Refusals about imports. */
export const IMPORT_REFUSALS = {
  IMPORT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Import not found' },
  IMPORT_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the file as multipart/form-data, in the field "file"',
  },
  IMPORT_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The upload could not be read' },
  IMPORT_FILE_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one file, in the field "file"' },
  IMPORT_TYPE_UNSUPPORTED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Please select a CSV file or an Excel file (.xlsx)',
  },
  IMPORT_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The file is larger than 50 MB' },
  IMPORT_TOO_MANY_ROWS: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The file has more than 200,000 rows. Split it into smaller files',
  },
  IMPORT_TOO_MANY_COLUMNS: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The file has more than 1,000 columns. Remove the ones you do not need',
  },
  IMPORT_SHEET_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The spreadsheet is too large. Save it as a CSV file and upload that',
  },
  IMPORT_UNREADABLE: { code: 'UNPROCESSABLE_CONTENT', message: 'This file cannot be read as a CSV or Excel file' },
  IMPORT_CELL_UNREADABLE: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'Cell {cell} of the spreadsheet cannot be read. Correct it, or save the sheet as a CSV file and upload that',
  },
  IMPORT_QUOTE_OPEN: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The row that begins on line {line} is missing a closing quotation mark',
  },
  IMPORT_ROW_TOO_LONG: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The row that begins on line {line} is too long. Check for a missing closing quotation mark',
  },
  IMPORT_COLUMNS_MISSING: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'One of the first ten lines must contain the column headings. These are missing: {columns}',
  },
  IMPORT_COLUMNS_UNCLEAR: {
    code: 'CONFLICT',
    message: 'Check what each column contains',
  },
  IMPORT_COLUMN_UNKNOWN: { code: 'UNPROCESSABLE_CONTENT', message: 'The file has no column {column}' },
  IMPORT_COLUMN_TWICE: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The column {column} is mapped to more than one field',
  },
  IMPORT_HEADING_LINE_UNKNOWN: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The headings must be on one of the first {most} lines that are not blank',
  },
  IMPORT_MAPPING_NOT_FOUND: { code: 'NOT_FOUND', message: 'Saved columns not found' },
  IMPORT_EMPTY: { code: 'UNPROCESSABLE_CONTENT', message: 'The file has no rows' },
  IMPORT_REPEATED: { code: 'CONFLICT', message: 'This file has been imported before. Import it again?' },
  IMPORT_RETRY_OTHER_FILE: {
    code: 'CONFLICT',
    message: 'This is not the file of that import. Choose the same file again',
  },
  IMPORT_RETRY_GONE: {
    code: 'CONFLICT',
    message: 'The failed rows of that import are no longer available. Upload a file with only those rows',
  },
  IMPORT_DATE_ORDER_UNCLEAR: {
    code: 'CONFLICT',
    message: 'Dates such as {value} can be read in two ways. Which comes first, the month or the day?',
  },
  IMPORT_DECIMAL_MARK_UNCLEAR: {
    code: 'CONFLICT',
    message: 'Amounts such as {value} can be read in two ways. Is the decimal separator a period or a comma?',
  },
  IMPORT_ROWS_REPEATED: {
    code: 'CONFLICT',
    message: 'Some rows of this file are repeated. Import each of them once, or every time?',
  },
  IMPORT_ROWS_EXIST: {
    code: 'CONFLICT',
    message: 'Some rows have the reference of a contract you already have. Update these contracts?',
  },
  IMPORT_SENDS_MAIL: {
    code: 'CONFLICT',
    message: 'Send emails to customers about these contracts?',
  },
  IMPORT_BUSY: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Other Excel files are being imported. Please try again in a few minutes, or save yours as a CSV file',
  },
  IMPORT_RUNNING: { code: 'CONFLICT', message: 'This import is still running' },
  IMPORT_STOPPED: {
    code: 'INTERNAL_SERVER_ERROR',
    message: 'The import stopped. Everything up to line {line} was imported: {done}, {failed} failed',
  },
  IMPORT_STOPPED_FULL: {
    code: 'CONFLICT',
    message:
      'The import stopped: you can have up to {count} customers and contracts in total. Everything up to line {line} was imported: {done}, {failed} failed',
  },
} as const
