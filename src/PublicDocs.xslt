<?xml version="1.0" encoding="utf-8"?>
<!-- Keeps the documentation of what the parameter lists: "|Type|" and "|Type.Member|". -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:param name="api" />

  <xsl:template match="@*|node()">
    <xsl:copy>
      <xsl:apply-templates select="@*|node()" />
    </xsl:copy>
  </xsl:template>

  <!-- "M:Type.Member(Parameters)" -->
  <xsl:template match="member">
    <xsl:if test="contains($api, concat('|', substring-before(concat(substring-after(@name, ':'), '('), '('), '|'))">
      <xsl:copy-of select="." />
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
