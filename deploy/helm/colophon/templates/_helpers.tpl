{{- define "colophon.labels" -}}
app.kubernetes.io/name: colophon
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "colophon.selector" -}}
app.kubernetes.io/name: colophon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
